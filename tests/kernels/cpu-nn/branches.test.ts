import { describe, test } from 'vitest';
import type { WindowPoolGeometry } from '../../../src/core/nn/plan.ts';
import { TensorList } from '../nn/opHarness.ts';
import { checkSums } from './cpuHarness.ts';

describe.each([
  { pixels: 1, channels: [1] },
  { pixels: 7, channels: [3, 1, 5] },
  { pixels: 300, channels: [4, 6] },
])('$pixels pixels of $channels channels', (geometry) => {
  const { pixels, channels } = geometry;
  const all = channels.reduce((sum, count) => sum + count, 0);
  const name = 'concat';

  test('side by side', async () => {
    const list = new TensorList();
    const inputs = channels.map((count, at) => list.random('activation', [pixels, count], 41 + at));
    const output = list.output('activation', [pixels, all]);
    const op = { kind: 'concat.forward', name, geometry, inputs, output } as const;
    await checkSums(op, list, [output], -2);
  });

  test('apart again', async () => {
    const list = new TensorList();
    const outputGradient = list.random('activation', [pixels, all], 44);
    const inputGradients = channels.map((count) => list.output('activation', [pixels, count]));
    const operands = { outputGradient, inputGradients };
    const op = { kind: 'concat.backward', name, geometry, ...operands } as const;
    await checkSums(op, list, inputGradients, -2);
  });
});

test.each([{ length: 1 }, { length: 15 }, { length: 10_001 }])(
  'sum of $length elements',
  async ({ length }) => {
    const list = new TensorList();
    const left = list.random('activation', [length], 45);
    const right = list.random('activation', [length], 46);
    const sum = list.output('activation', [length]);
    const op = { kind: 'add', name: 'add', length, left, right, sum } as const;
    await checkSums(op, list, [sum], 0);
  },
);

const pools: readonly WindowPoolGeometry[] = [
  { batch: 2, inHeight: 5, inWidth: 7, kernel: 3, stride: 1, pad: 1, channels: 5 },
  { batch: 1, inHeight: 8, inWidth: 6, kernel: 2, stride: 2, pad: 0, channels: 4 },
  { batch: 3, inHeight: 9, inWidth: 9, kernel: 3, stride: 2, pad: 1, channels: 3 },
  { batch: 1, inHeight: 1, inWidth: 1, kernel: 3, stride: 1, pad: 1, channels: 1 },
].map(({ batch, inHeight, inWidth, kernel, stride, pad, channels }) => ({
  batch,
  inHeight,
  inWidth,
  outHeight: Math.floor((inHeight + 2 * pad - kernel) / stride) + 1,
  outWidth: Math.floor((inWidth + 2 * pad - kernel) / stride) + 1,
  kernelHeight: kernel,
  kernelWidth: kernel,
  stride,
  padTop: pad,
  padLeft: pad,
  channels,
}));

describe.each(pools)(
  'pool of $kernelHeight, stride $stride, over $batch x $inHeight x $inWidth x $channels',
  (geometry) => {
    const { batch, inHeight, inWidth, outHeight, outWidth, channels } = geometry;
    const inShape = [batch, inHeight, inWidth, channels];
    const outShape = [batch, outHeight, outWidth, channels];
    const taps = geometry.kernelHeight * geometry.kernelWidth;
    const name = 'pool';

    test('largest', async () => {
      const list = new TensorList();
      // Few values, so that many windows have several largest ones.
      const input = list.random('activation', inShape, 47);
      list.values[input] = list.values[input]!.map((value) => Math.round(2 * value));
      const output = list.output('activation', outShape);
      const winners = list.output('activation', outShape);
      const operands = { input, output, taps: winners };
      const op = { kind: 'maxPool.forward', name, geometry, ...operands } as const;
      // Nothing is added up: results are exact.
      await checkSums(op, list, [output, winners], -2);
    });

    test('largest, backward', async () => {
      const list = new TensorList();
      const outputGradient = list.random('activation', outShape, 48);
      // Every tap wins somewhere, the middle one first.
      const winners = list.add('activation', outShape, (at) => (4 * at + 4) % taps);
      const inputGradient = list.output('activation', inShape);
      const operands = { outputGradient, taps: winners, inputGradient };
      const op = { kind: 'maxPool.backward', name, geometry, ...operands } as const;
      await checkSums(op, list, [inputGradient], taps);
    });

    test('mean', async () => {
      const list = new TensorList();
      const input = list.random('activation', inShape, 50);
      const output = list.output('activation', outShape);
      const op = { kind: 'averagePool.forward', name, geometry, input, output } as const;
      await checkSums(op, list, [output], taps + 1);
    });

    test('mean, backward', async () => {
      const list = new TensorList();
      const outputGradient = list.random('activation', outShape, 51);
      const inputGradient = list.output('activation', inShape);
      const operands = { outputGradient, inputGradient };
      const op = { kind: 'averagePool.backward', name, geometry, ...operands } as const;
      await checkSums(op, list, [inputGradient], taps + 1);
    });
  },
);
