import { describe, expect, it } from 'vitest';
import { RunStore } from '../../../src/app/store.ts';
import type { RunEvent } from '../../../src/core/run/events.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { sampleRecord } from '../../support/sample-record.ts';

const { events, ...header } = sampleRecord;
const progress: RunEvent = {
  kind: 'progress',
  device: 'gpu',
  stage: 'probe',
  fraction: 0.5,
  remainingSeconds: 1,
};

describe('RunStore', () => {
  it('gives the same record and summary for a live run and an opened one', () => {
    const live = new RunStore(header);
    for (const event of events) live.append(event);
    const opened = new RunStore(header, events);
    expect(live.record()).toEqual(sampleRecord);
    expect(opened.record()).toEqual(sampleRecord);
    expect(live.summary()).toEqual(summary(sampleRecord));
    expect(opened.summary()).toEqual(live.summary());
  });

  it('derives anew only when there is new evidence', () => {
    const store = new RunStore(header, events.slice(0, 3));
    const before = store.summary();
    store.append(progress);
    expect(store.summary()).toBe(before);
    expect(store.record().events.at(-1)).toBe(progress);
    const next = events[3];
    if (next) store.append(next);
    expect(store.summary()).not.toBe(before);
  });

  it('never changes a record that it has given out', () => {
    const store = new RunStore(header);
    const empty = store.record();
    store.append(progress);
    expect(empty.events).toEqual([]);
  });
});
