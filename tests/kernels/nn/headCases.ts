import { expect } from 'vitest';
import type { StepRates, TensorId } from '../../../src/core/nn/plan.ts';
import { momentumUpdate, type TensorOp } from '../../../src/core/nn/reference.ts';
import { expectWithin, roundoff, TensorList } from './opHarness.ts';

/** An op on random tensors whose results are sums. */
export interface SumCase {
  readonly op: TensorOp;
  readonly list: TensorList;
  readonly results: readonly TensorId[];
  /** Products in each element of a result, at the most. */
  readonly terms: number;
}

export const poolShapes = [
  { batch: 1, pixels: 1, channels: 1 },
  { batch: 1, pixels: 35, channels: 3 },
  { batch: 3, pixels: 64, channels: 5 },
  { batch: 2, pixels: 49, channels: 64 },
  { batch: 7, pixels: 6, channels: 130 },
] as const;

type PoolShape = (typeof poolShapes)[number];

export const poolCases = {
  forward: (geometry: PoolShape): SumCase => {
    const { batch, pixels, channels } = geometry;
    const list = new TensorList();
    const input = list.random('activation', [batch, pixels, channels], 21);
    const output = list.output('activation', [batch, channels]);
    const tensors = { input, output };
    const op = { kind: 'globalAveragePool.forward', name: 'pool', geometry, ...tensors } as const;
    return { op, list, results: [output], terms: pixels };
  },
  backward: (geometry: PoolShape): SumCase => {
    const { batch, pixels, channels } = geometry;
    const list = new TensorList();
    const outputGradient = list.random('activation', [batch, channels], 22);
    const inputGradient = list.output('activation', [batch, pixels, channels]);
    const tensors = { outputGradient, inputGradient };
    const op = { kind: 'globalAveragePool.backward', name: 'pool', geometry, ...tensors } as const;
    return { op, list, results: [inputGradient], terms: 1 };
  },
} as const;

export const denseShapes = [
  { batch: 1, inFeatures: 1, outFeatures: 1 },
  { batch: 1, inFeatures: 64, outFeatures: 10 },
  { batch: 5, inFeatures: 3, outFeatures: 7 },
  { batch: 9, inFeatures: 33, outFeatures: 5 },
  { batch: 32, inFeatures: 64, outFeatures: 10 },
] as const;

type DenseShape = (typeof denseShapes)[number];

export const denseCases = {
  forward: (geometry: DenseShape): SumCase => {
    const { batch, inFeatures, outFeatures } = geometry;
    const list = new TensorList();
    const input = list.random('activation', [batch, inFeatures], 23);
    const weight = list.random('parameter', [inFeatures, outFeatures], 24);
    const bias = list.random('parameter', [outFeatures], 25);
    const output = list.output('activation', [batch, outFeatures]);
    const tensors = { input, weight, bias, output };
    const op = { kind: 'dense.forward', name: 'head', geometry, ...tensors } as const;
    return { op, list, results: [output], terms: inFeatures + 1 };
  },
  'backward to the input': (geometry: DenseShape): SumCase => {
    const { batch, inFeatures, outFeatures } = geometry;
    const list = new TensorList();
    const outputGradient = list.random('activation', [batch, outFeatures], 26);
    const weight = list.random('parameter', [inFeatures, outFeatures], 27);
    const inputGradient = list.output('activation', [batch, inFeatures]);
    const tensors = { outputGradient, weight, inputGradient };
    const op = { kind: 'dense.backwardInput', name: 'head', geometry, ...tensors } as const;
    return { op, list, results: [inputGradient], terms: outFeatures };
  },
  'backward to the weight': (geometry: DenseShape): SumCase => {
    const { batch, inFeatures, outFeatures } = geometry;
    const list = new TensorList();
    const input = list.random('activation', [batch, inFeatures], 28);
    const outputGradient = list.random('activation', [batch, outFeatures], 29);
    const weightGradient = list.output('gradient', [inFeatures, outFeatures]);
    const biasGradient = list.output('gradient', [outFeatures]);
    const tensors = { input, outputGradient, weightGradient, biasGradient };
    const op = { kind: 'dense.backwardWeight', name: 'head', geometry, ...tensors } as const;
    return { op, list, results: [weightGradient, biasGradient], terms: batch };
  },
} as const;

export const updateParts = [
  { length: 64, decayLength: 0 },
  { length: 192, decayLength: 64 },
  { length: 1088, decayLength: 1088 },
  { length: 64 * 197, decayLength: 64 * 151 },
] as const;

/** The buffers of a momentum update, each one tensor. */
export function updateCase(part: (typeof updateParts)[number]) {
  const list = new TensorList();
  const parameter = list.random('parameter', [part.length], 31);
  list.parameterLength = 0;
  const gradient = list.random('gradient', [part.length], 32);
  list.parameterLength = 0;
  const velocity = list.random('velocity', [part.length], 33);
  const op = { kind: 'momentum.update', name: 'update', ...part } as const;
  return { op, list, parameter, gradient, velocity };
}

/** At most six roundings of values below 2, and those of the rates themselves. */
export function expectUpdated(
  { op, list, parameter, gradient, velocity }: ReturnType<typeof updateCase>,
  actual: readonly Float32Array[],
  rates: StepRates,
): void {
  const expected = list.values.map((values) => values.slice());
  const [p, g, v] = [expected[parameter]!, expected[gradient]!, expected[velocity]!];
  momentumUpdate(p, g, v, op.decayLength, rates);
  expectWithin(actual[velocity]!, v, () => 12 * roundoff);
  expectWithin(actual[parameter]!, p, () => 12 * roundoff);
  expectWithin(actual[gradient]!, g, () => 0);
  const before = list.values[parameter]!;
  expect(actual[parameter]!.some((value, at) => value !== before[at])).toBe(true);
}
