import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/core/run/events.ts';
import { summary, SummaryParts } from '../../../src/core/run/summary.ts';
import { sampleRecord } from '../../support/sample-record.ts';
import { anyRecord, recordOf } from './records.ts';

test('the summary has the fields that scripts depend on', () => {
  const derived = summary(recordOf());
  expect(Object.keys(derived)).toEqual([
    'schema',
    'environment',
    'rooflines',
    'trajectories',
    'tuning',
    'failures',
  ]);
  expect(derived.schema).toBe('rooftrace-summary/1');
  expect(derived.environment).toMatchObject({
    logicalCores: 2,
    devices: [{ device: 'gpu', architecture: 'swiftshader' }],
  });
});

test('rooflines come from ok samples, trajectories from steps, failures from failures', () => {
  const { rooflines, trajectories, failures } = summary(recordOf());
  expect(rooflines).toHaveLength(1);
  expect(rooflines[0]!.compute.map(({ value }) => value)).toEqual([60e9]);
  expect(rooflines[0]!.bandwidth.map(({ id }) => id)).toEqual([
    'bandwidth.cache1',
    'bandwidth.memory',
  ]);
  expect(rooflines[0]!.ridge).toHaveLength(2);
  expect(trajectories).toHaveLength(1);
  expect(trajectories[0]!.points.map(({ value }) => value)).toEqual([4, 8]);
  expect(trajectories[0]!.points[0]!.roofFraction).toBeGreaterThan(0);
  expect(failures).toMatchObject([{ kind: 'device-lost', advice: 'Reload the page.' }]);
});

test('a run that was cut short says what it has', () => {
  const { events } = recordOf();
  const firsts: RunEvent[][] = events.map((_, index) => events.slice(0, index));
  for (const prefix of firsts) expect(summary(recordOf({ events: prefix })).schema).toBeDefined();
  expect(summary(recordOf({ events: [] }))).toMatchObject({
    rooflines: [],
    trajectories: [],
    failures: [],
  });
});

function kept<T>(now: readonly T[], then: readonly T[]): number {
  return now.filter((value) => then.includes(value)).length;
}

test('a growing record is summed up as if each time were the first, and what has not changed is kept', () => {
  const { events } = sampleRecord;
  const parts = new SummaryParts();
  for (let length = 0; length <= events.length; length += 1) {
    const record = { ...sampleRecord, events: events.slice(0, length) };
    expect(summary(record, parts)).toEqual(summary(record));
  }
  const before = summary(sampleRecord, parts);
  const step = events.findLast((event) => event.kind === 'step')!;
  const after = summary({ ...sampleRecord, events: [...events, step] }, parts);
  expect(kept(after.rooflines, before.rooflines)).toBe(before.rooflines.length);
  const grown = before.trajectories.filter(
    ({ device, parameter }) => device === step.step.device && parameter === step.step.parameter,
  ).length;
  expect(kept(after.trajectories, before.trajectories)).toBe(before.trajectories.length - grown);
  expect(grown).toBeGreaterThan(0);
  expect(grown).toBeLessThan(before.trajectories.length);
});

test('nothing in a summary is lost as JSON: no NaN, no infinity', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const derived = summary(record);
      expect(JSON.parse(JSON.stringify(derived))).toEqual(derived);
    }),
  );
});
