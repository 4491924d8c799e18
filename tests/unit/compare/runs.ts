import type { ComparedRun } from '../../../src/core/compare/comparedRun.ts';
import type { RunRecord } from '../../../src/core/run/record.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { sampleRecord } from '../../support/sample-record.ts';

/** The sample run, `speed` times as fast in everything. */
export function comparedRun(id: string, speed = 1, change: Partial<RunRecord> = {}): ComparedRun {
  const record: RunRecord = { ...sampleRecord, ...change, events: faster(speed) };
  const { app, startedAt, config } = record;
  return {
    id,
    source: 'file',
    name: id,
    run: { app, startedAt, config, summary: summary(record) },
  };
}

function faster(speed: number): RunRecord['events'] {
  const scaled = (seconds: readonly number[]): number[] => seconds.map((time) => time / speed);
  return sampleRecord.events.map((event) => {
    const copy = structuredClone(event);
    if (copy.kind === 'sample')
      Object.assign(copy.sample, { seconds: scaled(copy.sample.seconds) });
    if (copy.kind === 'step') Object.assign(copy.step, { seconds: scaled(copy.step.seconds) });
    return copy;
  });
}
