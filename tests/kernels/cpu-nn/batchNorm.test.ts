import { describe, expect, test } from 'vitest';
import {
  backwardInputCase,
  backwardStatisticsCase,
  backwardVariants,
  expectNorm,
  forwardVariants,
  normal,
  normalizeCase,
  normalized,
  reference,
  shapes,
  statisticsCase,
  type NormCase,
} from '../nn/normCases.ts';
import { expectWithin, roundoff, TensorList } from '../nn/opHarness.ts';
import { runOnCpu } from './cpuHarness.ts';

async function check(norm: NormCase, roundings: number): Promise<void> {
  for (const actual of await runOnCpu(norm.op, norm.list)) expectNorm(norm, actual, roundings);
}

describe.each(shapes)('$pixels pixels x $channels channels about $mean', (shape) => {
  const { pixels } = shape;

  // Four sums a tile of at most 1024 pixels each, then a tree of tiles.
  test('statistics', () => check(statisticsCase(shape), Math.min(pixels, 1024) + 32));

  test.each(forwardVariants)('normalize, activation $activation, residual $added', (variant) =>
    check(normalizeCase(shape, variant), 5),
  );

  describe.each(backwardVariants)(
    'backward, activation $activation, residual $added',
    (variant) => {
      // Two sums a tile of at most 2048 pixels each and a tree of tiles, and four roundings of a term.
      const roundings = Math.min(pixels, 2048) + 16;
      test('statistics', () => check(backwardStatisticsCase(shape, variant), roundings));

      test('to the input', () => check(backwardInputCase(shape, variant), 8));
    },
  );

  test('running statistics, updated and used', async () => {
    const { channels } = shape;
    const geometry = { pixels: shape.pixels, channels, epsilon: 1e-5 };
    const list = new TensorList();
    const { statistics } = normalized(list, shape);
    const running = list.add('running', [2, channels], normal(0, 21));
    list.values[running] = list.values[running]!.map(Math.abs);
    const update = {
      kind: 'batchNorm.updateRunning',
      name: 'bn',
      geometry,
      momentum: 0.1,
      statistics,
      running,
    } as const;
    const updated = reference(update, list)[running]!;
    // The variance is had back from a rounded inverse root: two roundoffs of it and epsilon.
    for (const actual of await runOnCpu(update, list))
      expectWithin(
        actual[running]!,
        updated,
        (at) => 4 * roundoff * (Math.abs(updated[at]!) + list.values[running]![at]! + 1e-5),
      );
    const use = {
      kind: 'batchNorm.runningStatistics',
      name: 'bn',
      geometry,
      running,
      statistics,
    } as const;
    const used = reference(use, list)[statistics]!;
    for (const actual of await runOnCpu(use, list))
      expectWithin(actual[statistics]!, used, (at) => 2 * roundoff * Math.abs(used[at]!));
    expect(used.some((value) => value > 0)).toBe(true);
  });
});
