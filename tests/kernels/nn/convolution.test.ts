import { describe, expect, inject, test } from 'vitest';
import { runReferenceOp } from '../../../src/core/nn/reference.ts';
import { begunStatistics } from '../../../src/gpu/kernels/begunStatistics.ts';
import { convKey, convVariants, variantName } from '../../../src/gpu/kernels/convVariants.ts';
import { KernelSet } from '../../../src/gpu/kernels/kernelSet.ts';
import { cases, geometry, shapes, type ConvCase } from './convCases.ts';
import { expectWithin, openKernels, roundoff, runOpsOnGpu } from './opHarness.ts';
import { onlyResult, runVariants } from './variantHarness.ts';

const { queue } = await openKernels();

/**
 * Each shape takes one of them in turn: compiling every variant for all sizes would take minutes.
 * Exhaustive runs provide the size, so that all meet all.
 */
const providedSize = inject('workgroupSize');
const workgroupSizes = providedSize === undefined ? [64, 128] : [providedSize];
const kernelSets = new Map(workgroupSizes.map((size) => [size, new KernelSet(queue, size)]));

/**
 * Each result is a sum of at most `terms` products. In whatever order it is added up, it is off by
 * at most (terms + 1) roundoffs of the sum of the products' magnitudes (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd edition, section 3.1), which the reference makes from the
 * operands' magnitudes.
 */
async function check({ op, list, result, terms }: ConvCase, kernels: KernelSet): Promise<void> {
  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  expect(reference[result]!.some((value) => value !== 0)).toBe(true);
  const magnitudes = list.values.map((values) => values.map(Math.abs));
  runReferenceOp(op, magnitudes);
  const most = (terms + 2) * roundoff;
  const runs = await runVariants({ queue, kernels }, op, list, result);
  expect(runs.length).toBeGreaterThan(1);
  const tolerance = (at: number) => most * magnitudes[result]![at]!;
  for (const run of runs) expectWithin(onlyResult(run), reference[result]!, tolerance, run.variant);
}

describe.each(shapes)(
  '$kernel, stride $stride, $batch x $height x $width x $from to $to',
  (shape) => {
    test.each(Object.entries(cases))('%s, by every variant', async (_, caseOf) => {
      const workgroupSize = workgroupSizes[shapes.indexOf(shape) % workgroupSizes.length]!;
      await check(caseOf(geometry(shape)), kernelSets.get(workgroupSize)!);
    });
  },
);

/** Between them: whole and ragged strips and tiles, one round and several, strides, images of one pixel. */
test.each([
  [1, /^strip/],
  [5, /^strip/],
  [7, /^strip/],
  [8, /^strip/],
  [8, /4x8x4$/],
])('shape %d with batch-norm begun by %s', async (index, name) => {
  const g = geometry(shapes[index]!);
  const { op, list, result, terms } = cases.forward(g);
  const statistics = list.output('statistics', [2, g.outChannels]);
  const pixels = g.batch * g.outHeight * g.outWidth;
  const normOp = {
    kind: 'batchNorm.statistics',
    name: 'bn',
    geometry: { pixels, channels: g.outChannels, epsilon: 1e-5 },
    input: result,
    statistics,
  } as const;
  const kernels = kernelSets.get(workgroupSizes[0]!)!;
  const variants = convVariants(op, await kernels.support());
  const variant = variants.find((candidate) => name.test(variantName(candidate)))!;
  expect(begunStatistics([op, normOp], () => variant).size).toBe(1);
  const choices = { [convKey(op)]: variantName(variant) };
  const actual = await runOpsOnGpu({ queue, kernels }, [op, normOp], list, choices);

  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  const magnitudes = list.values.map((values) => values.map(Math.abs));
  runReferenceOp(op, magnitudes);
  const most = (terms + 2) * roundoff;
  const made = (at: number) => most * magnitudes[result]![at]!;
  expectWithin(actual[result]!, reference[result]!, made, 'output');

  // Of the pixels as they were made: what merging rounds, as in batchNorm.test.ts.
  reference[result] = Float64Array.from(actual[result]!);
  runReferenceOp(normOp, reference);
  const scale = Math.max(...reference[result].map(Math.abs));
  const merged = (at: number) =>
    128 * roundoff * (at < g.outChannels ? scale : reference[statistics]![at]!);
  expectWithin(actual[statistics]!, reference[statistics]!, merged, 'statistics');
});
