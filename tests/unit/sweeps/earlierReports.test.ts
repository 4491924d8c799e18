import { expect, test } from 'vitest';
import { earlierReports } from '../../../src/core/sweeps/earlierReports.ts';
import { sweepOf } from '../../../src/core/sweeps/sweep.ts';
import { stepOf } from '../roofline/samples.ts';

const sweep = sweepOf('batch', { model: 'resnet8', batch: 8 }, { largestBatch: 32 });
const at = (value: number, change: Parameters<typeof stepOf>[0] = {}) =>
  stepOf({ value, batch: value, seconds: [0.1], ...change });

test('a sweep goes on by its own steps; what failed once is tried once more', () => {
  const steps = [
    at(1),
    at(2, { status: 'skipped', seconds: [] }),
    at(4, { status: 'failed', seconds: [] }),
    at(8, { status: 'failed', seconds: [] }),
    at(8, { status: 'failed', seconds: [] }),
    at(16, { model: 'resnet14' }),
    at(16, { workgroups: 4 }),
    at(16, { parameter: 'workgroups' }),
  ];
  expect(earlierReports(steps, sweep).map(({ value, status }) => [value, status])).toEqual([
    [1, 'ok'],
    [2, 'skipped'],
    [8, 'failed'],
    [8, 'failed'],
  ]);
});

test('along the depth a model of another family is no step of the sweep', () => {
  const depth = sweepOf('depth', { model: 'resnet8', batch: 8 }, { largestBatch: 32 });
  const step = stepOf({ parameter: 'depth', batch: 8, seconds: [0.1] });
  const reports = earlierReports(
    [
      { ...step, model: 'resnet14', value: 14 },
      { ...step, model: 'plain8', value: 8 },
    ],
    depth,
  );
  expect(reports.map(({ value }) => value)).toEqual([14]);
});
