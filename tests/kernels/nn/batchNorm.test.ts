import { describe, test } from 'vitest';
import {
  backwardInputCase,
  backwardStatisticsCase,
  backwardVariants,
  expectNorm,
  forwardVariants,
  normalizeCase,
  shapes,
  statisticsCase,
  type NormCase,
} from './normCases.ts';
import { openKernels, runOnGpu } from './opHarness.ts';

const gpu = await openKernels();

async function check(norm: NormCase, roundings: number): Promise<void> {
  expectNorm(norm, await runOnGpu(gpu, norm.op, norm.list), roundings);
}

describe.each(shapes)('$pixels pixels x $channels channels about $mean', (shape) => {
  // Sums run over 32 pixels in a lane and a tree of at most 64 + log2(64) merges after it.
  test('statistics', () => check(statisticsCase(shape), 128));

  test.each(forwardVariants)('normalize, activation $activation, residual $added', (variant) =>
    check(normalizeCase(shape, variant), 5),
  );

  describe.each(backwardVariants)(
    'backward, activation $activation, residual $added',
    (variant) => {
      // 32 pixels in a lane, at most ceil(pixels / 32 / 64) lanes each and a tree of 64, and four
      // roundings of a term.
      const roundings = 32 + Math.ceil(shape.pixels / 2048) + 6 + 4;
      test('statistics', () => check(backwardStatisticsCase(shape, variant), roundings));

      test('to the input', () => check(backwardInputCase(shape, variant), 8));
    },
  );
});
