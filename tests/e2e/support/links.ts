import { encodeLink, type LinkForm } from '../../../src/core/run/link.ts';
import type { RunRecord, SummarizedRun } from '../../../src/core/run/record.ts';
import { summary } from '../../../src/core/run/summary.ts';

/** The text of a record's link after `#r=`, made without the page. */
export function linkOf(record: RunRecord, form: LinkForm): Promise<string> {
  const { app, startedAt, label, config } = record;
  const run: SummarizedRun = {
    app,
    startedAt,
    ...(label !== undefined && { label }),
    config,
    summary: summary(record),
  };
  return encodeLink(run, form);
}
