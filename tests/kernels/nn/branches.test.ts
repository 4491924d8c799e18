import { describe, expect, test } from 'vitest';
import type { WindowPoolGeometry } from '../../../src/core/nn/plan.ts';
import { runReferenceOp, type TensorOp } from '../../../src/core/nn/reference.ts';
import { generator } from '../../support/random.ts';
import { expectWithin, openKernels, roundoff, runOnGpu, TensorList } from './opHarness.ts';

const gpu = await openKernels();

/** Every element of every tensor is the interpreter's, the results' within `share` of its terms. */
async function check(
  op: TensorOp,
  list: TensorList,
  results: readonly number[],
  share: number,
): Promise<void> {
  const actual = await runOnGpu(gpu, op, list);
  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  const magnitudes = list.values.map((values) => values.map(Math.abs));
  if (share > 0) runReferenceOp(op, magnitudes);
  for (const { id } of list.specs) {
    const most = results.includes(id) ? share : 0;
    expectWithin(actual[id]!, reference[id]!, (at) => most * Math.abs(magnitudes[id]![at]!));
  }
}

/** A window's geometry by its size, stride and padding on all sides. */
function windows(
  [batch, inHeight, inWidth, channels]: readonly [number, number, number, number],
  [kernelHeight, kernelWidth]: readonly [number, number],
  stride: number,
  padding: readonly [number, number],
): WindowPoolGeometry {
  const outputs = (length: number, kernel: number, pad: number) =>
    Math.floor((length + 2 * pad - kernel) / stride) + 1;
  return {
    batch,
    inHeight,
    inWidth,
    outHeight: outputs(inHeight, kernelHeight, padding[0]),
    outWidth: outputs(inWidth, kernelWidth, padding[1]),
    kernelHeight,
    kernelWidth,
    stride,
    padTop: padding[0],
    padLeft: padding[1],
    channels,
  };
}

describe.each([
  { name: '3x3', geometry: windows([2, 8, 8, 16], [3, 3], 1, [1, 1]) },
  { name: '3x3, stride 2 on odd sizes', geometry: windows([1, 9, 7, 3], [3, 3], 2, [1, 1]) },
  { name: '3x3, stride 2, unpadded', geometry: windows([3, 7, 10, 5], [3, 3], 2, [0, 0]) },
  { name: '2x2, stride 2', geometry: windows([2, 6, 4, 1], [2, 2], 2, [0, 0]) },
  { name: '1x3, stride 3', geometry: windows([1, 2, 11, 7], [1, 3], 3, [0, 1]) },
  { name: 'one tap', geometry: windows([1, 5, 4, 70], [1, 1], 1, [0, 0]) },
])('window pools, $name', ({ geometry }) => {
  const { batch, inHeight, inWidth, outHeight, outWidth, channels } = geometry;
  const inShape = [batch, inHeight, inWidth, channels];
  const outShape = [batch, outHeight, outWidth, channels];
  const taps = geometry.kernelHeight * geometry.kernelWidth;

  test('largest and which tap it was, the first of equal ones', async () => {
    const list = new TensorList();
    const random = generator(41);
    // Few values, all negative: many ties, and zeros of padding would win.
    const input = list.add('activation', inShape, () => -1 - Math.floor(3 * random()));
    const output = list.output('activation', outShape);
    const winners = list.output('activation', outShape);
    const op = { kind: 'maxPool.forward', name: 'pool', geometry, input, output } as const;
    await check({ ...op, taps: winners }, list, [], 0);
  });

  test('largest, backward', async () => {
    const list = new TensorList();
    const input = list.random('activation', inShape, 42);
    const output = list.output('activation', outShape);
    const winners = list.output('activation', outShape);
    const forward = { kind: 'maxPool.forward', name: 'pool', geometry, input, output } as const;
    runReferenceOp({ ...forward, taps: winners }, list.values);
    const outputGradient = list.random('activation', outShape, 43);
    const inputGradient = list.output('activation', inShape);
    const op = { kind: 'maxPool.backward', name: 'pool', geometry, outputGradient } as const;
    await check(
      { ...op, taps: winners, inputGradient },
      list,
      [inputGradient],
      (taps + 1) * roundoff,
    );
  });

  test('mean', async () => {
    const list = new TensorList();
    const input = list.random('activation', inShape, 44);
    const output = list.output('activation', outShape);
    const op = { kind: 'averagePool.forward', name: 'pool', geometry, input, output } as const;
    await check(op, list, [output], (taps + 4) * roundoff);
  });

  test('mean, backward', async () => {
    const list = new TensorList();
    const outputGradient = list.random('activation', outShape, 45);
    const inputGradient = list.output('activation', inShape);
    const op = { kind: 'averagePool.backward', name: 'pool', geometry } as const;
    await check(
      { ...op, outputGradient, inputGradient },
      list,
      [inputGradient],
      (taps + 4) * roundoff,
    );
  });
});

describe.each([
  { pixels: 1, channels: [1, 1] },
  { pixels: 35, channels: [3, 5, 1] },
  { pixels: 64, channels: [16, 8, 4, 4] },
  { pixels: 130, channels: [7] },
])('concatenation, $pixels pixels of $channels channels', (geometry) => {
  const { pixels, channels } = geometry;
  const total = channels.reduce((sum, width) => sum + width, 0);

  test('forward', async () => {
    const list = new TensorList();
    const inputs = channels.map((width, at) => list.random('activation', [pixels, width], 50 + at));
    const output = list.output('activation', [pixels, total]);
    await check({ kind: 'concat.forward', name: 'join', geometry, inputs, output }, list, [], 0);
  });

  test('backward', async () => {
    const list = new TensorList();
    const outputGradient = list.random('activation', [pixels, total], 60);
    const inputGradients = channels.map((width) => list.output('activation', [pixels, width]));
    const op = { kind: 'concat.backward', name: 'join', geometry } as const;
    await check({ ...op, outputGradient, inputGradients }, list, [], 0);
  });
});

test.each([1, 63, 64, 1001])('sum of branches, %d elements', async (length) => {
  const list = new TensorList();
  const left = list.random('activation', [length], 61);
  const right = list.random('activation', [length], 62);
  const sum = list.output('activation', [length]);
  await check({ kind: 'add', name: 'join', length, left, right, sum }, list, [sum], 2 * roundoff);
});

describe.each([
  { pixels: 1, channels: 3 },
  { pixels: 35, channels: 70 },
])('running statistics of $channels channels, $pixels pixels', ({ pixels, channels }) => {
  const geometry = { pixels, channels, epsilon: 1e-5 };
  const random = generator(63);
  const positive = () => 0.1 + random();

  test('follow the batches', async () => {
    const list = new TensorList();
    const statistics = list.add('statistics', [2, channels], positive);
    const running = list.add('running', [2, channels], positive);
    const op = { kind: 'batchNorm.updateRunning', name: 'bn', geometry, momentum: 0.1 } as const;
    const actual = await runOnGpu(gpu, { ...op, statistics, running }, list);
    const before = list.values[running]!.slice();
    const expected = list.values.map((values) => values.slice());
    runReferenceOp({ ...op, statistics, running }, expected);
    // Up to 100 from an inverse deviation of 0.1, a square and a division away, in a tenth.
    expectWithin(actual[running]!, expected[running]!, (at) =>
      at < channels ? 4 * roundoff : (8 * expected[running]![at]! + 8) * roundoff,
    );
    expect(expected[running]).not.toEqual(before);
  });

  test('stand in for those of a batch', async () => {
    const list = new TensorList();
    const running = list.add('running', [2, channels], positive);
    const statistics = list.output('statistics', [2, channels]);
    const op = { kind: 'batchNorm.runningStatistics', name: 'bn', geometry } as const;
    // WGSL grants a square root the error of an inverse square root, two units in the last place.
    await check({ ...op, running, statistics }, list, [statistics], 12 * roundoff);
  });
});

test.each([
  { batch: 1, classes: 2 },
  { batch: 130, classes: 10 },
])('classification, $batch images of $classes classes', async ({ batch, classes }) => {
  const list = new TensorList();
  const random = generator(64);
  // Whole numbers: ties happen, and the first of equal logits wins.
  const logits = list.add('activation', [batch, classes], () => Math.floor(4 * random()));
  const labels = list.add('labels', [batch], (image) => image % classes);
  const losses = list.output('activation', [batch]);
  const correct = list.output('activation', [batch]);
  const op = { kind: 'classify', name: 'head', batch, classes } as const;
  const actual = await runOnGpu(gpu, { ...op, logits, labels, losses, correct }, list);
  const expected = list.values.map((values) => values.slice());
  runReferenceOp({ ...op, logits, labels, losses, correct }, expected);
  expectWithin(actual[correct]!, expected[correct]!, () => 0);
  // As the training loss: exponentials of shifts up to 4, a logarithm.
  expectWithin(actual[losses]!, expected[losses]!, () => 2 ** -21 + 60 * roundoff);
});
