import type { NormGeometry, TensorId } from '../../../src/core/nn/plan.ts';
import { runReferenceOp, type TensorOp } from '../../../src/core/nn/reference.ts';
import { gaussian, generator } from '../../support/random.ts';
import { expectWithin, roundoff, TensorList } from './opHarness.ts';

export interface NormShape {
  readonly pixels: number;
  readonly channels: number;
  /** Of the inputs, in standard deviations. */
  readonly mean: number;
}

/** Odd shapes, and one whose mean is 100 deviations away. */
export const shapes: readonly NormShape[] = [
  { pixels: 1, channels: 3, mean: 0 },
  { pixels: 2, channels: 1, mean: 1 },
  { pixels: 35, channels: 5, mean: 0.5 },
  { pixels: 64, channels: 16, mean: 0 },
  { pixels: 33, channels: 20, mean: -2 },
  { pixels: 1001, channels: 3, mean: 100 },
  { pixels: 4103, channels: 1, mean: 0 },
  { pixels: 2500, channels: 7, mean: 3 },
];

interface Variant {
  readonly activation: 'none' | 'relu';
  /** Whether a residual is added. */
  readonly added: boolean;
}

export const forwardVariants: readonly Variant[] = [
  { activation: 'none', added: false },
  { activation: 'relu', added: false },
  { activation: 'relu', added: true },
  { activation: 'none', added: true },
];

export const backwardVariants = forwardVariants.slice(0, 3);

/** An op on random tensors, and what the error of each element of its results is measured by. */
export interface NormCase {
  readonly op: TensorOp;
  readonly list: TensorList;
  readonly results: readonly {
    readonly id: TensorId;
    /** So many roundoffs of it an executor may be off: 0 for what is copied. */
    readonly magnitude: (at: number) => number;
  }[];
}

/** Requires what an executor made of a case to be within so many roundoffs, all else as it was. */
export function expectNorm(
  { op, list, results }: NormCase,
  actual: readonly Float32Array[],
  roundings: number,
): void {
  const expected = reference(op, list);
  for (const { id } of list.specs) {
    const magnitude = results.find((result) => result.id === id)?.magnitude ?? (() => 0);
    const tolerance = (at: number) => roundings * roundoff * magnitude(at);
    expectWithin(actual[id]!, expected[id]!, tolerance, `tensor ${id}`);
  }
}

/** The tensors after an op of the float64 interpreter. */
export function reference(op: TensorOp, list: TensorList): readonly Float64Array[] {
  const tensors = list.values.map((values) => values.slice());
  runReferenceOp(op, tensors);
  return tensors;
}

/** Standard normal values about a mean. */
export function normal(mean: number, seed: number): () => number {
  const random = generator(seed);
  return () => mean + gaussian(random);
}

function geometryOf({ pixels, channels }: NormShape): NormGeometry {
  return { pixels, channels, epsilon: 1e-5 };
}

/** Inputs with their own true statistics, as the forward pass leaves them. */
export function normalized(list: TensorList, shape: NormShape) {
  const { pixels, channels, mean } = shape;
  const input = list.add('activation', [pixels, channels], normal(mean, 11));
  const statistics = list.output('statistics', [2, channels]);
  const tensors = { input, statistics };
  const geometry = geometryOf(shape);
  const forward = { kind: 'batchNorm.statistics', name: 'bn', geometry, ...tensors } as const;
  list.values[statistics] = reference(forward, list)[statistics]!.map(Math.fround);
  return tensors;
}

/** (input - mean) inverseDeviation of one element. */
function normalisedAt(
  list: TensorList,
  { input, statistics }: { readonly input: TensorId; readonly statistics: TensorId },
  channels: number,
  at: number,
): number {
  const channel = at % channels;
  const moments = list.values[statistics]!;
  return (list.values[input]![at]! - moments[channel]!) * moments[channels + channel]!;
}

/**
 * A mean is off by roundoffs of the largest input; what the deviations lose to a wrong mean enters
 * their squares only squared, so the inverse deviation keeps its relative error.
 */
export function statisticsCase(shape: NormShape): NormCase {
  const { pixels, channels, mean } = shape;
  const list = new TensorList();
  const input = list.add('activation', [pixels, channels], normal(mean, 12));
  const statistics = list.output('statistics', [2, channels]);
  const tensors = { input, statistics };
  const geometry = geometryOf(shape);
  const op = { kind: 'batchNorm.statistics', name: 'bn', geometry, ...tensors } as const;
  const expected = reference(op, list)[statistics]!;
  const scale = list.values[input]!.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const magnitude = (at: number) => (at < channels ? scale : expected[at]!);
  return { op, list, results: [{ id: statistics, magnitude }] };
}

/** Both executors start from the same statistics: a few roundings of these terms, no more. */
export function normalizeCase(shape: NormShape, { activation, added }: Variant): NormCase {
  const { pixels, channels } = shape;
  const list = new TensorList();
  const tensors = normalized(list, shape);
  const gamma = list.random('parameter', [channels], 13);
  const beta = list.random('parameter', [channels], 14);
  const residual = added ? list.random('activation', [pixels, channels], 15) : undefined;
  const output = list.output('activation', [pixels, channels]);
  const op = {
    kind: 'batchNorm.normalize',
    name: 'bn',
    geometry: geometryOf(shape),
    activation,
    ...tensors,
    gamma,
    beta,
    ...(residual !== undefined && { residual }),
    output,
  } as const;
  const magnitude = (at: number) => {
    const channel = at % channels;
    const scaled = normalisedAt(list, tensors, channels, at) * list.values[gamma]![channel]!;
    const other = residual === undefined ? 0 : list.values[residual]![at]!;
    return Math.abs(scaled) + Math.abs(list.values[beta]![channel]!) + Math.abs(other);
  };
  return { op, list, results: [{ id: output, magnitude }] };
}

function backward(shape: NormShape, activation: Variant['activation']) {
  const { pixels, channels } = shape;
  const list = new TensorList();
  const tensors = normalized(list, shape);
  // The mask: about half of the outputs are 0, as after ReLU.
  const random = generator(16);
  const output = list.add('activation', [pixels, channels], () => Math.max(0, 2 * random() - 1));
  const outputGradient = list.random('activation', [pixels, channels], 17);
  const geometry = geometryOf(shape);
  return { list, common: { name: 'bn', geometry, activation, ...tensors, output, outputGradient } };
}

/** As for any sum: roundings of the terms' magnitudes. */
export function backwardStatisticsCase(shape: NormShape, { activation }: Variant): NormCase {
  const { channels } = shape;
  const { list, common } = backward(shape, activation);
  const gammaGradient = list.output('gradient', [channels]);
  const betaGradient = list.output('gradient', [channels]);
  const gradients = { gammaGradient, betaGradient };
  const op = { ...common, kind: 'batchNorm.backwardStatistics', ...gradients } as const;
  const magnitudes = [new Float64Array(channels), new Float64Array(channels)] as const;
  list.values[common.outputGradient]!.forEach((d, at) => {
    magnitudes[0][at % channels]! += Math.abs(d * normalisedAt(list, common, channels, at));
    magnitudes[1][at % channels]! += Math.abs(d);
  });
  return {
    op,
    list,
    results: [
      { id: gammaGradient, magnitude: (at) => magnitudes[0][at]! },
      { id: betaGradient, magnitude: (at) => magnitudes[1][at]! },
    ],
  };
}

/** The masked gradient goes to the residual as it is. */
export function backwardInputCase(shape: NormShape, { activation, added }: Variant): NormCase {
  const { pixels, channels } = shape;
  const { list, common } = backward(shape, activation);
  const gamma = list.random('parameter', [channels], 18);
  const gammaGradient = list.add('gradient', [channels], normal(0, 19));
  const betaGradient = list.add('gradient', [channels], normal(0, 20));
  const residual = added ? { residualGradient: list.output('activation', [pixels, channels]) } : {};
  const inputGradient = list.output('activation', [pixels, channels]);
  const tensors = { gamma, gammaGradient, betaGradient, inputGradient, ...residual };
  const op = { ...common, kind: 'batchNorm.backwardInput', ...tensors } as const;
  const magnitude = (at: number) => {
    const channel = at % channels;
    const inverseDeviation = list.values[common.statistics]![channels + channel]!;
    const scale = Math.abs(list.values[gamma]![channel]! * inverseDeviation);
    const product =
      normalisedAt(list, common, channels, at) * list.values[gammaGradient]![channel]!;
    const means = Math.abs(list.values[betaGradient]![channel]!) + Math.abs(product);
    return scale * (Math.abs(list.values[common.outputGradient]![at]!) + means / pixels);
  };
  return { op, list, results: [{ id: inputGradient, magnitude }] };
}
