import { describe, test } from 'vitest';
import type { ConvGeometry } from '../../../src/core/nn/plan.ts';
import { TensorList } from '../nn/opHarness.ts';
import { checkSums } from './cpuHarness.ts';

/** Odd shapes: image, channels in and out, kernel height x width, stride; `same` padding. */
const shapes = [
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
  // More channels than one tile does, and sums of more than one chunk.
  { batch: 9, height: 3, width: 3, from: 70, to: 66, kernel: [3, 3], stride: 1 },
  // Rows of more pixels than a tile wants.
  { batch: 1, height: 2, width: 300, from: 2, to: 2, kernel: [3, 3], stride: 1 },
  { batch: 2, height: 5, width: 6, from: 3, to: 9, kernel: [1, 5], stride: 1 },
  { batch: 2, height: 6, width: 5, from: 7, to: 2, kernel: [5, 1], stride: 2 },
] as const;

type Shape = (typeof shapes)[number];

function geometry({ batch, height, width, from, to, kernel, stride }: Shape): ConvGeometry {
  const [kernelHeight, kernelWidth] = kernel;
  const [padTop, padLeft] = [(kernelHeight - 1) / 2, (kernelWidth - 1) / 2];
  return {
    batch,
    inHeight: height,
    inWidth: width,
    inChannels: from,
    outHeight: Math.floor((height + 2 * padTop - kernelHeight) / stride) + 1,
    outWidth: Math.floor((width + 2 * padLeft - kernelWidth) / stride) + 1,
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

describe.each(shapes)(
  '$kernel, stride $stride, $batch x $height x $width x $from to $to',
  (shape) => {
    const g = geometry(shape);
    const taps = g.kernelHeight * g.kernelWidth;

    test('forward', async () => {
      const list = new TensorList();
      const input = list.random('activation', inputShape(g), 1);
      const weight = list.random('parameter', weightShape(g), 2);
      const output = list.output('activation', outputShape(g));
      const operands = { input, weight, output };
      const op = { kind: 'conv2d.forward', name: 'conv', geometry: g, ...operands } as const;
      await checkSums(op, list, [output], taps * g.inChannels);
    });

    test.each([{ added: false }, { added: true }])(
      'backward to the input, another branch added: $added',
      async ({ added }) => {
        const list = new TensorList();
        const outputGradient = list.random('activation', outputShape(g), 3);
        const weight = list.random('parameter', weightShape(g), 4);
        const addend = added ? { addend: list.random('activation', inputShape(g), 5) } : {};
        const inputGradient = list.output('activation', inputShape(g));
        const operands = { outputGradient, weight, ...addend, inputGradient };
        const op = {
          kind: 'conv2d.backwardInput',
          name: 'conv',
          geometry: g,
          ...operands,
        } as const;
        await checkSums(op, list, [inputGradient], taps * g.outChannels + 1);
      },
    );

    test('backward to the weight', async () => {
      const list = new TensorList();
      const input = list.random('activation', inputShape(g), 6);
      const outputGradient = list.random('activation', outputShape(g), 7);
      const weightGradient = list.output('gradient', weightShape(g));
      const operands = { input, outputGradient, weightGradient };
      const op = {
        kind: 'conv2d.backwardWeight',
        name: 'conv',
        geometry: g,
        ...operands,
      } as const;
      await checkSums(op, list, [weightGradient], g.batch * g.outHeight * g.outWidth);
    });
  },
);
