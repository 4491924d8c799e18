import { describe, expect, test } from 'vitest';
import type { NormGeometry, PlanOp } from '../../../src/core/nn/plan.ts';
import { runReferenceOp, type TensorOp } from '../../../src/core/nn/reference.ts';
import { firstDifference } from '../../support/bits.ts';
import { gaussian, generator } from '../../support/random.ts';
import { expectWithin, openKernels, roundoff, runOnGpu, TensorList } from './opHarness.ts';

const gpu = await openKernels();

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

const geometryOf = ({ pixels, channels }: (typeof shapes)[number]): NormGeometry => ({
  pixels,
  channels,
  epsilon: 1e-5,
});

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
function normalized(list: TensorList, g: NormGeometry, mean: number) {
  const { pixels, channels } = g;
  const input = list.add('activation', [pixels, channels], normal(mean, 11));
  const statistics = list.output('statistics', [2, channels]);
  const forward = {
    kind: 'batchNorm.statistics',
    name: 'bn',
    geometry: g,
    input,
    statistics,
  } as const;
  list.values[statistics] = reference(forward, list)[statistics]!.map(Math.fround);
  return { input, statistics };
}

/** (input - mean) inverseDeviation of one element. */
function normalisedAt(
  list: TensorList,
  { input, statistics }: { readonly input: number; readonly statistics: number },
  channels: number,
  at: number,
): number {
  const channel = at % channels;
  const moments = list.values[statistics]!;
  return (list.values[input]![at]! - moments[channel]!) * moments[channels + channel]!;
}

describe.each(shapes)('$pixels pixels x $channels channels about $mean', (shape) => {
  const g = geometryOf(shape);
  const { pixels, channels } = g;

  test('statistics', async () => {
    const list = new TensorList();
    const input = list.add('activation', [pixels, channels], normal(shape.mean, 12));
    const statistics = list.output('statistics', [2, channels]);
    const op = {
      kind: 'batchNorm.statistics',
      name: 'bn',
      geometry: g,
      input,
      statistics,
    } as const;
    const actual = (await runOnGpu(gpu, op, list))[statistics]!;
    const expected = reference(op, list)[statistics]!;
    // Sums run over 32 pixels in a lane and a tree of at most 64 + log2(64) merges after it. A
    // mean is off by so many roundoffs of the largest input; what the deviations lose to a wrong
    // mean enters their squares only squared, so the inverse deviation keeps its relative error.
    const roundings = 128;
    const scale = largest(list.values[input]!);
    expectWithin(actual, expected, (at) =>
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
    const tensors = normalized(list, g, shape.mean);
    const gamma = list.random('parameter', [channels], 13);
    const beta = list.random('parameter', [channels], 14);
    const residual = variant.added
      ? { residual: list.random('activation', [pixels, channels], 15) }
      : {};
    const output = list.output('activation', [pixels, channels]);
    const op = {
      kind: 'batchNorm.normalize',
      name: 'bn',
      geometry: g,
      activation: variant.activation,
      ...tensors,
      gamma,
      beta,
      ...residual,
      output,
    } as const;
    const actual = (await runOnGpu(gpu, op, list))[output]!;
    const expected = reference(op, list)[output]!;
    // Both executors start from the same statistics: five roundings of these terms, no more.
    expectWithin(actual, expected, (at) => {
      const channel = at % channels;
      const scaled = normalisedAt(list, tensors, channels, at) * list.values[gamma]![channel]!;
      const residualTerm = 'residual' in residual ? list.values[residual.residual]![at]! : 0;
      const terms = Math.abs(scaled) + Math.abs(list.values[beta]![channel]!);
      return 5 * roundoff * (terms + Math.abs(residualTerm));
    });
  });

  describe.each([
    { activation: 'none', added: false },
    { activation: 'relu', added: false },
    { activation: 'relu', added: true },
  ] as const)('backward, activation $activation, residual $added', ({ activation, added }) => {
    function backward() {
      const list = new TensorList();
      const tensors = normalized(list, g, shape.mean);
      // The mask: about half of the outputs are 0, as after ReLU.
      const random = generator(16);
      const output = list.add('activation', [pixels, channels], () =>
        Math.max(0, 2 * random() - 1),
      );
      const outputGradient = list.random('activation', [pixels, channels], 17);
      return {
        list,
        common: { name: 'bn', geometry: g, activation, ...tensors, output, outputGradient },
      };
    }

    test('statistics', async () => {
      const { list, common } = backward();
      const gammaGradient = list.output('gradient', [channels]);
      const betaGradient = list.output('gradient', [channels]);
      const op = {
        ...common,
        kind: 'batchNorm.backwardStatistics',
        gammaGradient,
        betaGradient,
      } as const satisfies PlanOp;
      const actual = await runOnGpu(gpu, op, list);
      const expected = reference(op, list);
      // As for any sum: so many roundings of the magnitudes. 32 pixels in a lane, at most
      // ceil(pixels / 32 / 64) lanes each and a tree of 64, and four roundings of a term.
      const roundings = (32 + Math.ceil(pixels / 2048) + 6 + 4) * roundoff;
      const magnitudes = [new Float64Array(channels), new Float64Array(channels)] as const;
      list.values[common.outputGradient]!.forEach((d, at) => {
        const normalised = normalisedAt(list, common, channels, at);
        magnitudes[0][at % channels]! += Math.abs(d * normalised);
        magnitudes[1][at % channels]! += Math.abs(d);
      });
      const within = (id: number, magnitude: Float64Array) =>
        expectWithin(actual[id]!, expected[id]!, (at) => roundings * magnitude[at]!);
      within(gammaGradient, magnitudes[0]);
      within(betaGradient, magnitudes[1]);
    });

    test('to the input', async () => {
      const { list, common } = backward();
      const gamma = list.random('parameter', [channels], 18);
      const gammaGradient = list.add('gradient', [channels], normal(0, 19));
      const betaGradient = list.add('gradient', [channels], normal(0, 20));
      const residualGradient = added
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
        ...residualGradient,
      } as const satisfies PlanOp;
      const actual = await runOnGpu(gpu, op, list);
      const expected = reference(op, list);
      // Eight roundings of these terms.
      expectWithin(actual[inputGradient]!, expected[inputGradient]!, (at) => {
        const channel = at % channels;
        const inverseDeviation = list.values[common.statistics]![channels + channel]!;
        const scale = Math.abs(list.values[gamma]![channel]! * inverseDeviation);
        const product =
          normalisedAt(list, common, channels, at) * list.values[gammaGradient]![channel]!;
        const means = Math.abs(list.values[betaGradient]![channel]!) + Math.abs(product);
        const d = Math.abs(list.values[common.outputGradient]![at]!);
        return 8 * roundoff * scale * (d + means / pixels);
      });
      if (residualGradient.residualGradient !== undefined)
        expectWithin(
          actual[residualGradient.residualGradient]!,
          expected[residualGradient.residualGradient]!,
          () => 0,
        );
      const given = Float32Array.from(list.values[common.outputGradient]!);
      expect(firstDifference(actual[common.outputGradient]!, given)).toBe(-1);
    });
  });
});
