import { describe, expect, test } from 'vitest';
import type { NormGeometry, PlanOp } from '../../../src/core/nn/plan.ts';
import { runReferenceOp, type TensorOp } from '../../../src/core/nn/reference.ts';
import { gaussian, generator } from '../../support/random.ts';
import { expectWithin, roundoff, TensorList } from '../nn/opHarness.ts';
import { runOnCpu } from './cpuHarness.ts';

/** Odd shapes, and one whose mean is 100 deviations away. */
const shapes = [
  { pixels: 1, channels: 3, mean: 0 },
  { pixels: 2, channels: 1, mean: 1 },
  { pixels: 35, channels: 5, mean: 0.5 },
  { pixels: 64, channels: 16, mean: 0 },
  { pixels: 33, channels: 20, mean: -2 },
  { pixels: 1001, channels: 3, mean: 100 },
  { pixels: 4103, channels: 1, mean: 0 },
  { pixels: 2500, channels: 7, mean: 3 },
] as const;

/** Standard normal values about a mean. */
function normal(mean: number, seed: number): () => number {
  const random = generator(seed);
  return () => mean + gaussian(random);
}

function reference(op: TensorOp, list: TensorList): readonly Float64Array[] {
  const tensors = list.values.map((values) => values.slice());
  runReferenceOp(op, tensors);
  return tensors;
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** Inputs with their own true statistics, as the forward pass leaves them. */
function normalized(list: TensorList, geometry: NormGeometry, mean: number) {
  const { pixels, channels } = geometry;
  const input = list.add('activation', [pixels, channels], normal(mean, 11));
  const statistics = list.output('statistics', [2, channels]);
  const operands = { input, statistics };
  const forward = { kind: 'batchNorm.statistics', name: 'bn', geometry, ...operands } as const;
  list.values[statistics] = reference(forward, list)[statistics]!.map(Math.fround);
  return operands;
}

describe.each(shapes)('$pixels pixels x $channels channels about $mean', (shape) => {
  const { pixels, channels } = shape;
  const geometry = { pixels, channels, epsilon: 1e-5 };

  test('statistics', async () => {
    const list = new TensorList();
    const input = list.add('activation', [pixels, channels], normal(shape.mean, 12));
    const statistics = list.output('statistics', [2, channels]);
    const operands = { input, statistics };
    const op = { kind: 'batchNorm.statistics', name: 'bn', geometry, ...operands } as const;
    const expected = reference(op, list)[statistics]!;
    // Four sums a tile of at most 1024 pixels each, then a tree of tiles: at most so many roundings
    // of the largest input, and relative ones of the deviation, whose squares are all positive.
    const roundings = Math.min(pixels, 1024) + 32;
    const scale = largest(list.values[input]!);
    for (const tensors of await runOnCpu(op, list))
      expectWithin(tensors[statistics]!, expected, (at) =>
        at < channels ? roundings * roundoff * scale : roundings * roundoff * expected[at]!,
      );
  });

  test.each([
    { activation: 'none', added: false },
    { activation: 'relu', added: false },
    { activation: 'relu', added: true },
    { activation: 'none', added: true },
  ] as const)('normalize, activation $activation, residual $added', async (variant) => {
    const list = new TensorList();
    const tensors = normalized(list, geometry, shape.mean);
    const gamma = list.random('parameter', [channels], 13);
    const beta = list.random('parameter', [channels], 14);
    const residual = variant.added
      ? { residual: list.random('activation', [pixels, channels], 15) }
      : {};
    const output = list.output('activation', [pixels, channels]);
    const operands = { ...tensors, gamma, beta, ...residual, output };
    const { activation } = variant;
    const op = {
      kind: 'batchNorm.normalize',
      name: 'bn',
      geometry,
      activation,
      ...operands,
    } as const;
    const expected = reference(op, list)[output]!;
    const moments = list.values[tensors.statistics]!;
    // Both executors start from the same statistics: five roundings of these terms, no more.
    const tolerance = (at: number) => {
      const channel = at % channels;
      const distance = list.values[tensors.input]![at]! - moments[channel]!;
      const scaled = distance * moments[channels + channel]! * list.values[gamma]![channel]!;
      const residualTerm = 'residual' in residual ? list.values[residual.residual]![at]! : 0;
      const terms = Math.abs(scaled) + Math.abs(list.values[beta]![channel]!);
      return 5 * roundoff * (terms + Math.abs(residualTerm));
    };
    for (const actual of await runOnCpu(op, list))
      expectWithin(actual[output]!, expected, tolerance);
  });

  describe.each([
    { activation: 'none', added: false },
    { activation: 'relu', added: false },
    { activation: 'relu', added: true },
  ] as const)('backward, activation $activation, residual $added', ({ activation, added }) => {
    function backward() {
      const list = new TensorList();
      const tensors = normalized(list, geometry, shape.mean);
      // The mask: about half of the outputs are 0, as after ReLU.
      const random = generator(16);
      const output = list.add('activation', [pixels, channels], () =>
        Math.max(0, 2 * random() - 1),
      );
      const outputGradient = list.random('activation', [pixels, channels], 17);
      const moments = list.values[tensors.statistics]!;
      const normalisedAt = (at: number) =>
        (list.values[tensors.input]![at]! - moments[at % channels]!) *
        moments[channels + (at % channels)]!;
      const common = { name: 'bn', geometry, activation, ...tensors, output, outputGradient };
      return { list, common, normalisedAt };
    }

    test('statistics', async () => {
      const { list, common, normalisedAt } = backward();
      const gammaGradient = list.output('gradient', [channels]);
      const betaGradient = list.output('gradient', [channels]);
      const op = {
        ...common,
        kind: 'batchNorm.backwardStatistics',
        gammaGradient,
        betaGradient,
      } as const satisfies PlanOp;
      const expected = reference(op, list);
      // As for any sum: so many roundings of the magnitudes. Two sums a tile of at most 2048 pixels
      // each and a tree of tiles, and four roundings of a term.
      const roundings = (Math.min(pixels, 2048) + 16) * roundoff;
      const magnitudes = [new Float64Array(channels), new Float64Array(channels)] as const;
      list.values[common.outputGradient]!.forEach((d, at) => {
        magnitudes[0][at % channels]! += Math.abs(d * normalisedAt(at));
        magnitudes[1][at % channels]! += Math.abs(d);
      });
      for (const actual of await runOnCpu(op, list))
        for (const [id, magnitude] of [
          [gammaGradient, magnitudes[0]],
          [betaGradient, magnitudes[1]],
        ] as const)
          expectWithin(actual[id]!, expected[id]!, (at) => roundings * magnitude[at]!);
    });

    test('to the input', async () => {
      const { list, common, normalisedAt } = backward();
      const gamma = list.random('parameter', [channels], 18);
      const gammaGradient = list.add('gradient', [channels], normal(0, 19));
      const betaGradient = list.add('gradient', [channels], normal(0, 20));
      const residual = added
        ? { residualGradient: list.output('activation', [pixels, channels]) }
        : {};
      const inputGradient = list.output('activation', [pixels, channels]);
      const op = {
        ...common,
        kind: 'batchNorm.backwardInput',
        gamma,
        gammaGradient,
        betaGradient,
        inputGradient,
        ...residual,
      } as const satisfies PlanOp;
      const expected = reference(op, list);
      const moments = list.values[common.statistics]!;
      // Eight roundings of these terms.
      const tolerance = (at: number) => {
        const channel = at % channels;
        const scale = Math.abs(list.values[gamma]![channel]! * moments[channels + channel]!);
        const product = normalisedAt(at) * list.values[gammaGradient]![channel]!;
        const means = Math.abs(list.values[betaGradient]![channel]!) + Math.abs(product);
        const d = Math.abs(list.values[common.outputGradient]![at]!);
        return 8 * roundoff * scale * (d + means / pixels);
      };
      for (const actual of await runOnCpu(op, list)) {
        expectWithin(actual[inputGradient]!, expected[inputGradient]!, tolerance);
        const id = residual.residualGradient;
        if (id !== undefined) expectWithin(actual[id]!, expected[id]!, () => 0);
      }
    });
  });

  test('running statistics, updated and used', async () => {
    const list = new TensorList();
    const { statistics } = normalized(list, geometry, shape.mean);
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
