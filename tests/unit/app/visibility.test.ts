import { describe, expect, it } from 'vitest';
import { hiddenCount, hiddenFlag, VisibilityWatch } from '../../../src/app/visibility.ts';
import type { RunEvent } from '../../../src/core/run/events.ts';
import { sampleRecord } from '../../support/sample-record.ts';

class Page extends EventTarget {
  hidden = false;
  show(visible: boolean): void {
    this.hidden = !visible;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

function first<K extends RunEvent['kind']>(kind: K): Extract<RunEvent, { kind: K }> {
  const found = sampleRecord.events.find((event) => event.kind === kind);
  if (!found) throw new Error(`the record has no ${kind}`);
  return found as Extract<RunEvent, { kind: K }>;
}

describe('VisibilityWatch', () => {
  it('refuses evidence of a time when the page was hidden, even for a moment', () => {
    const page = new Page();
    const watch = new VisibilityWatch(page);
    const before = watch.judge(first('sample'));
    page.show(false);
    page.show(true);
    const during = watch.judge(first('sample'));
    const after = watch.judge(first('sample'));
    expect([before, after]).toEqual([first('sample'), first('sample')]);
    expect(during).toMatchObject({ sample: { status: 'failed', flags: [hiddenFlag] } });
    expect(hiddenCount([before, during, after])).toBe(1);
  });

  it('refuses steps while the page stays hidden, and keeps their times', () => {
    const page = new Page();
    page.hidden = true;
    const watch = new VisibilityWatch(page);
    const refused = [watch.judge(first('step')), watch.judge(first('step'))];
    for (const event of refused)
      expect(event).toMatchObject({
        step: { status: 'failed', seconds: first('step').step.seconds },
      });
  });

  it('leaves everything else alone', () => {
    const page = new Page();
    page.hidden = true;
    const watch = new VisibilityWatch(page);
    expect(watch.judge(first('done'))).toBe(first('done'));
  });
});
