import { expect, test } from 'vitest';
import { shares, sweepPoints } from '../../../src/cpu/train/sweepPoints.ts';

test('shares differ by at most one image and make up the batch', () => {
  expect(shares(32, 3)).toEqual([11, 11, 10]);
  expect(shares(8, 8)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  for (const replicas of [1, 2, 3, 5, 7]) {
    const dealt = shares(32, replicas);
    expect(dealt.reduce((sum, share) => sum + share, 0)).toBe(32);
    expect(Math.max(...dealt) - Math.min(...dealt)).toBeLessThanOrEqual(1);
  }
});

test('threads and replicas together stay within the cores', () => {
  for (const cores of [1, 2, 6, 8])
    for (const parameter of ['batch', 'threads', 'replicas'] as const)
      for (const isFull of [false, true])
        for (const point of sweepPoints(parameter, cores, true, isFull)) {
          expect(point.batches.length * point.threads).toBeLessThanOrEqual(cores);
          expect(Math.min(...point.batches)).toBeGreaterThan(0);
        }
});

test('replicas split a batch, or get as much each', () => {
  const points = sweepPoints('replicas', 4, true, false);
  const totals = (scaling: string) =>
    points
      .filter((point) => point.scaling === scaling)
      .map(({ value, batches }) => [value, batches.reduce((sum, batch) => sum + batch, 0)]);
  expect(totals('strong')).toEqual([
    [1, 32],
    [2, 32],
    [4, 32],
    [1, 8],
    [2, 8],
    [4, 8],
  ]);
  expect(totals('weak')).toEqual([
    [1, 16],
    [2, 32],
    [4, 64],
  ]);
});

test('every split of the cores is visited in full', () => {
  const splits = sweepPoints('replicas', 8, true, true).map(
    ({ batches, threads }) => `${batches.length} x ${threads}`,
  );
  for (const split of ['8 x 1', '4 x 2', '2 x 4', '2 x 2', '4 x 1'])
    expect(splits).toContain(split);
});

test('without shared memory there is one thread, and replicas on all cores', () => {
  expect(sweepPoints('threads', 4, false, false).map(({ value }) => value)).toEqual([1]);
  const replicas = sweepPoints('replicas', 4, false, true);
  expect(new Set(replicas.map(({ threads }) => threads))).toEqual(new Set([1]));
  expect(replicas.map(({ value }) => value)).toContain(4);
});

test('what does not concern the CPU has no points, and one core no replicas', () => {
  expect(sweepPoints('workgroups', 4, true, true)).toEqual([]);
  expect(sweepPoints('replicas', 1, true, true)).toEqual([]);
});
