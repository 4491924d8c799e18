import { expect, test } from 'vitest';
import { bestUse } from '../../../src/cpu/train/bestUse.ts';
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

test('threads share each batch that replicas split', () => {
  const points = sweepPoints('threads', 2, true, false);
  expect(points.map(({ batches, threads }) => ({ batches, threads }))).toEqual([
    { batches: [32], threads: 1 },
    { batches: [32], threads: 2 },
    { batches: [8], threads: 1 },
    { batches: [8], threads: 2 },
  ]);
});

test('the batch grows with the cores used as told, every replica with an image at least', () => {
  const points = sweepPoints('batch', 4, true, false, { replicas: 3, threads: 1 });
  expect(points.map(({ value, batches }) => [value, batches])).toEqual([
    [4, [2, 1, 1]],
    [8, [3, 3, 2]],
    [16, [6, 5, 5]],
    [32, [11, 11, 10]],
  ]);
});

function timed(batches: readonly number[], threads: number, seconds: number) {
  return {
    point: { batches, threads },
    timing: { status: 'ok' as const, seconds: [seconds, seconds, seconds * 1.05] },
  };
}

test('the best use of the cores is the usual one unless another is faster beyond the noise', () => {
  const usual = { replicas: 1, threads: 2 };
  const one = timed([32], 2, 1);
  expect(bestUse([], usual)).toBe(usual);
  expect(bestUse([one, timed([16, 16], 1, 0.98)], usual)).toBe(usual);
  expect(bestUse([one, timed([16, 16], 1, 0.5)], usual)).toEqual({ replicas: 2, threads: 1 });
  // One lucky visit among several does not decide.
  const split = (seconds: number) => timed([16, 16], 1, seconds);
  expect(bestUse([one, split(0.5), split(1), split(1), split(1)], usual)).toBe(usual);
  // Of another batch, failed, or with nothing to hold it against.
  expect(bestUse([one, timed([4, 4], 1, 0.5)], usual)).toBe(usual);
  const failed = timed([16, 16], 1, 0.5);
  const timing = { ...failed.timing, status: 'failed' as const };
  expect(bestUse([one, { ...failed, timing }], usual)).toBe(usual);
  expect(bestUse([timed([16, 16], 1, 0.5)], usual)).toBe(usual);
});

test('without shared memory there is one thread, and replicas on all cores', () => {
  const own = sweepPoints('threads', 4, false, false);
  expect(new Set(own.map(({ value }) => value))).toEqual(new Set([1]));
  const replicas = sweepPoints('replicas', 4, false, true);
  expect(new Set(replicas.map(({ threads }) => threads))).toEqual(new Set([1]));
  expect(replicas.map(({ value }) => value)).toContain(4);
});

test('what does not concern the CPU has no points, and one core no replicas', () => {
  expect(sweepPoints('workgroups', 4, true, true)).toEqual([]);
  expect(sweepPoints('replicas', 1, true, true)).toEqual([]);
});
