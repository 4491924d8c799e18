import { describe, expect, test } from 'vitest';
import { BlackBoxSearch, type SearchOutcome } from '../../../src/core/sweeps/blackBox.ts';
import type { StepSetting } from '../../../src/core/sweeps/sweep.ts';
import type { SweepParameter } from '../../../src/core/run/config.ts';
import { noisyTimes } from '../roofline/samples.ts';

const limits = { budget: { seconds: 0.8, mostSeconds: 10 }, seed: 1 };
const start = { model: 'resnet8', batch: 8 } as const;

function search(
  parameters: readonly SweepParameter[],
  secondsOf: (setting: StepSetting) => number,
  noise = 0,
  seed = 1,
): { outcome: SearchOutcome; visits: number } {
  const found = new BlackBoxSearch(
    parameters,
    start,
    ({ batch }) => ({ largestBatch: 64, mostTiles: 16 * batch, workgroupSizes: [32, 64, 128] }),
    limits,
  );
  let visits = 0;
  for (let visit = found.next(); visit; visit = found.next()) {
    expect(found.next()).toEqual(visit);
    visits += 1;
    expect(visits).toBeLessThan(200);
    const seconds = noisyTimes(secondsOf(visit.setting), noise, 9, 1000 * seed + visits);
    found.report({ value: visit.value, status: 'ok', seconds });
  }
  return { outcome: found.outcome, visits };
}

/** Fastest at batch 64, 64 workgroups and 64 lanes: each halving or doubling away costs a fifth. */
function device({ batch, workgroups = 1024, workgroupSize = 32 }: StepSetting): number {
  const away = Math.abs(Math.log2(workgroups / 64)) + Math.abs(Math.log2(workgroupSize / 64));
  return 1e-3 * (batch + 8) * 1.2 ** away;
}

describe('a search without a look inside', () => {
  test('finds the best of a device whose parameters do not hinder each other', () => {
    const { outcome } = search(['batch', 'workgroups', 'workgroupSize'], device);
    expect(outcome.best).toEqual({
      model: 'resnet8',
      batch: 64,
      workgroups: 64,
      workgroupSize: 64,
    });
    expect(outcome.steps.map(({ parameter, from, to }) => [parameter, from, to])).toEqual([
      ['batch', 8, 64],
      ['workgroups', 1024, 64],
      ['workgroupSize', undefined, 64],
    ]);
    const expected = device(start) / 8 / (device(outcome.best) / 64);
    expect(outcome.gain!.ratio).toBeCloseTo(expected, 9);
    const product = outcome.steps.reduce((total, { gain }) => total * gain, 1);
    expect(product).toBeCloseTo(expected, 9);
  });

  test('changes nothing where nothing is faster beyond the intervals', () => {
    let changed = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const { outcome } = search(['workgroupSize', 'workgroups'], () => 0.05, 0.03, seed);
      if (outcome.steps.length > 0) changed += 1;
    }
    expect(changed).toBeLessThanOrEqual(5);
  });

  test('compares start and best alternately, and only where they differ', () => {
    const same = search(['workgroups'], () => 0.05);
    expect(same.outcome).toEqual({ start, best: start, steps: [] });
    const better = search(['batch'], ({ batch }) => 0.01 * (batch + 8));
    // Seven batches, both ends again, three times each of the two.
    expect(better.visits).toBe(7 + 2 + 6);
    expect(better.outcome.gain!.low).toBeLessThanOrEqual(better.outcome.gain!.ratio);
  });

  test('nothing to sweep, nothing to visit', () => {
    expect(search([], device).visits).toBe(0);
    expect(search(['threads'], device).visits).toBe(0);
  });
});
