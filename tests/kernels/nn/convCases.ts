import type { ConvGeometry } from '../../../src/core/nn/plan.ts';
import type { ConvOp } from '../../../src/gpu/kernels/convVariants.ts';
import { TensorList } from './opHarness.ts';

/** Image, channels in and out, kernel (height, width), stride; padding keeps the size at stride 1. */
export interface ConvShape {
  readonly batch: number;
  readonly height: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
  readonly kernel: readonly [number, number];
  readonly stride: number;
}

/** Odd ones, for every executor. */
export const shapes: readonly ConvShape[] = [
  { batch: 1, height: 5, width: 7, from: 1, to: 3, kernel: [3, 3], stride: 1 },
  { batch: 2, height: 9, width: 6, from: 3, to: 5, kernel: [3, 3], stride: 2 },
  { batch: 1, height: 7, width: 7, from: 5, to: 1, kernel: [1, 1], stride: 2 },
  { batch: 3, height: 6, width: 5, from: 1, to: 16, kernel: [3, 3], stride: 1 },
  { batch: 2, height: 7, width: 11, from: 8, to: 12, kernel: [3, 3], stride: 2 },
  { batch: 2, height: 11, width: 19, from: 4, to: 8, kernel: [3, 3], stride: 1 },
  { batch: 3, height: 8, width: 8, from: 16, to: 32, kernel: [1, 1], stride: 2 },
  { batch: 1, height: 1, width: 1, from: 4, to: 4, kernel: [3, 3], stride: 1 },
  { batch: 1, height: 33, width: 10, from: 12, to: 20, kernel: [3, 3], stride: 1 },
  { batch: 5, height: 4, width: 3, from: 6, to: 4, kernel: [1, 1], stride: 1 },
  { batch: 2, height: 10, width: 9, from: 4, to: 4, kernel: [3, 3], stride: 3 },
  { batch: 2, height: 5, width: 9, from: 4, to: 6, kernel: [1, 7], stride: 1 },
  { batch: 1, height: 6, width: 7, from: 8, to: 4, kernel: [5, 1], stride: 2 },
];

export function geometry(shape: ConvShape): ConvGeometry {
  const { batch, height, width, from, to, kernel, stride } = shape;
  const [kernelHeight, kernelWidth] = kernel;
  const [padTop, padLeft] = [(kernelHeight - 1) / 2, (kernelWidth - 1) / 2];
  const outLength = (length: number) => Math.floor((length - 1) / stride) + 1;
  return {
    batch,
    inHeight: height,
    inWidth: width,
    inChannels: from,
    outHeight: outLength(height),
    outWidth: outLength(width),
    outChannels: to,
    kernelHeight,
    kernelWidth,
    stride,
    padTop,
    padLeft,
  };
}

const inputShape = (g: ConvGeometry) => [g.batch, g.inHeight, g.inWidth, g.inChannels];
const outputShape = (g: ConvGeometry) => [g.batch, g.outHeight, g.outWidth, g.outChannels];
const weightShape = (g: ConvGeometry) => [
  g.kernelHeight,
  g.kernelWidth,
  g.inChannels,
  g.outChannels,
];

/** An op on random tensors. */
export interface ConvCase {
  readonly op: ConvOp;
  readonly list: TensorList;
  readonly result: number;
  /** Products in each element of the result. */
  readonly terms: number;
}

export const cases = {
  forward: (g: ConvGeometry): ConvCase => {
    const list = new TensorList();
    const input = list.random('activation', inputShape(g), 1);
    const weight = list.random('parameter', weightShape(g), 2);
    const output = list.output('activation', outputShape(g));
    const op = {
      kind: 'conv2d.forward',
      name: 'conv',
      geometry: g,
      input,
      weight,
      output,
    } as const;
    return { op, list, result: output, terms: g.kernelHeight * g.kernelWidth * g.inChannels };
  },
  'backward to the input': (g: ConvGeometry): ConvCase => backwardInput(g, false),
  'backward to the input, with another branch': (g: ConvGeometry): ConvCase =>
    backwardInput(g, true),
  'backward to the weight': (g: ConvGeometry): ConvCase => {
    const list = new TensorList();
    const input = list.random('activation', inputShape(g), 6);
    const outputGradient = list.random('activation', outputShape(g), 7);
    const weightGradient = list.output('gradient', weightShape(g));
    const tensors = { input, outputGradient, weightGradient };
    const op = { kind: 'conv2d.backwardWeight', name: 'conv', geometry: g, ...tensors } as const;
    return { op, list, result: weightGradient, terms: g.batch * g.outHeight * g.outWidth };
  },
} as const;

function backwardInput(g: ConvGeometry, added: boolean): ConvCase {
  const list = new TensorList();
  const outputGradient = list.random('activation', outputShape(g), 3);
  const weight = list.random('parameter', weightShape(g), 4);
  const addend = added ? { addend: list.random('activation', inputShape(g), 5) } : {};
  const inputGradient = list.output('activation', inputShape(g));
  const tensors = { outputGradient, weight, ...addend, inputGradient };
  const op = { kind: 'conv2d.backwardInput', name: 'conv', geometry: g, ...tensors } as const;
  const terms = g.kernelHeight * g.kernelWidth * g.outChannels + 1;
  return { op, list, result: inputGradient, terms };
}
