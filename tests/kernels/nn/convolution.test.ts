import { describe, expect, test } from 'vitest';
import type { ConvGeometry } from '../../../src/core/nn/plan.ts';
import { runReferenceOp, type TensorOp } from '../../../src/core/nn/reference.ts';
import { expectWithin, openKernels, roundoff, runOnGpu, TensorList } from './opHarness.ts';

const gpu = await openKernels();

/** Odd shapes: image size, channels in and out, square kernel, stride; `same` padding of 3x3. */
const shapes = [
  { batch: 1, height: 5, width: 7, from: 1, to: 3, kernel: 3, stride: 1 },
  { batch: 2, height: 9, width: 6, from: 3, to: 5, kernel: 3, stride: 2 },
  { batch: 1, height: 7, width: 7, from: 5, to: 1, kernel: 1, stride: 2 },
  { batch: 3, height: 6, width: 5, from: 1, to: 16, kernel: 3, stride: 1 },
  { batch: 2, height: 7, width: 11, from: 8, to: 12, kernel: 3, stride: 2 },
  { batch: 2, height: 11, width: 19, from: 4, to: 8, kernel: 3, stride: 1 },
  { batch: 3, height: 8, width: 8, from: 16, to: 32, kernel: 1, stride: 2 },
  { batch: 1, height: 1, width: 1, from: 4, to: 4, kernel: 3, stride: 1 },
  { batch: 1, height: 33, width: 10, from: 12, to: 20, kernel: 3, stride: 1 },
  { batch: 5, height: 4, width: 3, from: 6, to: 4, kernel: 1, stride: 1 },
  { batch: 2, height: 10, width: 9, from: 4, to: 4, kernel: 3, stride: 3 },
] as const;

type Shape = (typeof shapes)[number];

function geometry({ batch, height, width, from, to, kernel, stride }: Shape): ConvGeometry {
  const pad = (kernel - 1) / 2;
  const outLength = (length: number) => Math.floor((length + 2 * pad - kernel) / stride) + 1;
  return {
    batch,
    inHeight: height,
    inWidth: width,
    inChannels: from,
    outHeight: outLength(height),
    outWidth: outLength(width),
    outChannels: to,
    kernelHeight: kernel,
    kernelWidth: kernel,
    stride,
    padTop: pad,
    padLeft: pad,
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

/**
 * Each result is a sum of at most `terms` products. In whatever order it is added up, it is off by
 * at most (terms + 1) roundoffs of the sum of the products' magnitudes (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd edition, section 3.1), which the reference makes from the
 * operands' magnitudes.
 */
async function check(op: TensorOp, list: TensorList, result: number, terms: number): Promise<void> {
  const actual = await runOnGpu(gpu, op, list);
  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  const magnitudes = list.values.map((values) => values.map(Math.abs));
  runReferenceOp(op, magnitudes);
  for (const { id } of list.specs) {
    const most = id === result ? (terms + 2) * roundoff : 0;
    expectWithin(actual[id]!, reference[id]!, (at) => most * magnitudes[id]![at]!);
  }
  expect(reference[result]!.some((value) => value !== 0)).toBe(true);
}

describe.each(shapes)(
  '$kernel x $kernel, stride $stride, $batch x $height x $width x $from to $to',
  (shape) => {
    const g = geometry(shape);
    const taps = g.kernelHeight * g.kernelWidth;

    test('forward', async () => {
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
      await check(op, list, output, taps * g.inChannels);
    });

    test.each([{ added: false }, { added: true }])(
      'backward to the input, another branch added: $added',
      async ({ added }) => {
        const list = new TensorList();
        const outputGradient = list.random('activation', outputShape(g), 3);
        const weight = list.random('parameter', weightShape(g), 4);
        const addend = added
          ? { addend: list.random('activation', inputShape(g), 5) }
          : { addend: undefined };
        const inputGradient = list.output('activation', inputShape(g));
        const op = {
          kind: 'conv2d.backwardInput',
          name: 'conv',
          geometry: g,
          outputGradient,
          weight,
          inputGradient,
          ...(addend.addend === undefined ? {} : { addend: addend.addend }),
        } as const;
        await check(op, list, inputGradient, taps * g.outChannels + 1);
      },
    );

    test('backward to the weight', async () => {
      const list = new TensorList();
      const input = list.random('activation', inputShape(g), 6);
      const outputGradient = list.random('activation', outputShape(g), 7);
      const weightGradient = list.output('gradient', weightShape(g));
      const op = {
        kind: 'conv2d.backwardWeight',
        name: 'conv',
        geometry: g,
        input,
        outputGradient,
        weightGradient,
      } as const;
      await check(op, list, weightGradient, g.batch * g.outHeight * g.outWidth);
    });
  },
);
