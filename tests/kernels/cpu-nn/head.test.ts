import { describe, expect, test } from 'vitest';
import { momentumUpdate, runReferenceOp } from '../../../src/core/nn/reference.ts';
import { generator } from '../../support/random.ts';
import { expectWithin, roundoff, TensorList } from '../nn/opHarness.ts';
import { checkSums, rates, runOnCpu } from './cpuHarness.ts';

describe.each([
  { batch: 1, pixels: 1, channels: 1 },
  { batch: 1, pixels: 35, channels: 3 },
  { batch: 3, pixels: 64, channels: 5 },
  { batch: 7, pixels: 6, channels: 130 },
])('average pool, $batch x $pixels x $channels', (geometry) => {
  const { batch, pixels, channels } = geometry;
  const name = 'pool';

  test('forward', async () => {
    const list = new TensorList();
    const input = list.random('activation', [batch, pixels, channels], 21);
    const output = list.output('activation', [batch, channels]);
    const op = { kind: 'globalAveragePool.forward', name, geometry, input, output } as const;
    await checkSums(op, list, [output], pixels);
  });

  test('backward', async () => {
    const list = new TensorList();
    const outputGradient = list.random('activation', [batch, channels], 22);
    const inputGradient = list.output('activation', [batch, pixels, channels]);
    const operands = { outputGradient, inputGradient };
    const op = { kind: 'globalAveragePool.backward', name, geometry, ...operands } as const;
    await checkSums(op, list, [inputGradient], 1);
  });
});

describe.each([
  { batch: 1, inFeatures: 1, outFeatures: 1 },
  { batch: 5, inFeatures: 3, outFeatures: 7 },
  { batch: 9, inFeatures: 33, outFeatures: 5 },
  { batch: 32, inFeatures: 64, outFeatures: 10 },
])('dense, $batch x $inFeatures to $outFeatures', (geometry) => {
  const { batch, inFeatures, outFeatures } = geometry;
  const name = 'head';

  test('forward', async () => {
    const list = new TensorList();
    const input = list.random('activation', [batch, inFeatures], 23);
    const weight = list.random('parameter', [inFeatures, outFeatures], 24);
    const bias = list.random('parameter', [outFeatures], 25);
    const output = list.output('activation', [batch, outFeatures]);
    const operands = { input, weight, bias, output };
    const op = { kind: 'dense.forward', name, geometry, ...operands } as const;
    await checkSums(op, list, [output], inFeatures + 1);
  });

  test('backward to the input', async () => {
    const list = new TensorList();
    const outputGradient = list.random('activation', [batch, outFeatures], 26);
    const weight = list.random('parameter', [inFeatures, outFeatures], 27);
    const inputGradient = list.output('activation', [batch, inFeatures]);
    const operands = { outputGradient, weight, inputGradient };
    const op = { kind: 'dense.backwardInput', name, geometry, ...operands } as const;
    await checkSums(op, list, [inputGradient], outFeatures);
  });

  test('backward to the weight', async () => {
    const list = new TensorList();
    const input = list.random('activation', [batch, inFeatures], 28);
    const outputGradient = list.random('activation', [batch, outFeatures], 29);
    const weightGradient = list.output('gradient', [inFeatures, outFeatures]);
    const biasGradient = list.output('gradient', [outFeatures]);
    const operands = { input, outputGradient, weightGradient, biasGradient };
    const op = { kind: 'dense.backwardWeight', name, geometry, ...operands } as const;
    await checkSums(op, list, [weightGradient, biasGradient], batch);
  });
});

describe.each([
  { batch: 1, classes: 2, scale: 1 },
  { batch: 7, classes: 10, scale: 4 },
  { batch: 130, classes: 3, scale: 1 },
  // exp(200) overflows f32, and exp(1000) f64, unless the largest logit is taken off first.
  { batch: 5, classes: 10, scale: 200 },
  { batch: 5, classes: 10, scale: 1000 },
])('$batch images, $classes classes, logits to $scale', ({ batch, classes, scale }) => {
  function operands() {
    const list = new TensorList();
    const random = generator(30);
    const logits = list.add('activation', [batch, classes], () => scale * (2 * random() - 1));
    const labels = list.add('labels', [batch], (image) => image % classes);
    const losses = list.output('activation', [batch]);
    return { list, ids: { logits, labels, losses } };
  }

  // All but the last rounding is in f64: what is left is that one, of results below 2 scale + 8.
  const oneRounding = (expected: Float64Array) => (at: number) =>
    1.01 * roundoff * Math.abs(expected[at]!) + 1e-12 * scale;

  test('softmax and cross-entropy', async () => {
    const { list, ids } = operands();
    const logitsGradient = list.output('activation', [batch, classes]);
    const shape = { batch, classes, name: 'loss' };
    const op = { kind: 'softmaxCrossEntropy', ...shape, ...ids, logitsGradient } as const;
    const expected = list.values.map((values) => values.slice());
    runReferenceOp(op, expected);
    for (const actual of await runOnCpu(op, list))
      for (const id of [ids.losses, logitsGradient])
        expectWithin(actual[id]!, expected[id]!, oneRounding(expected[id]!));
  });

  test('classification', async () => {
    const { list, ids } = operands();
    const correct = list.output('activation', [batch]);
    const op = { kind: 'classify', name: 'loss', batch, classes, ...ids, correct } as const;
    // Of equal logits the first one counts.
    list.values[ids.logits]!.fill(scale, 0, 2);
    const expected = list.values.map((values) => values.slice());
    runReferenceOp(op, expected);
    for (const actual of await runOnCpu(op, list)) {
      expectWithin(actual[ids.losses]!, expected[ids.losses]!, oneRounding(expected[ids.losses]!));
      expectWithin(actual[correct]!, expected[correct]!, () => 0);
    }
  });
});

test.each([
  { length: 64, decayLength: 0 },
  { length: 192, decayLength: 64 },
  { length: 1088, decayLength: 1088 },
  { length: 64 * 197, decayLength: 64 * 151 },
])('momentum update, $length elements of which $decayLength decay', async (part) => {
  const list = new TensorList();
  // One tensor takes the whole of each buffer.
  const parameter = list.random('parameter', [part.length], 31);
  list.parameterLength = 0;
  const gradient = list.random('gradient', [part.length], 32);
  list.parameterLength = 0;
  const velocity = list.random('velocity', [part.length], 33);
  const expected = list.values.map((values) => values.slice());
  momentumUpdate(
    expected[parameter]!,
    expected[gradient]!,
    expected[velocity]!,
    part.decayLength,
    rates,
  );
  for (const actual of await runOnCpu({ kind: 'momentum.update', name: 'update', ...part }, list)) {
    // At most six roundings of values below 2, and those of the rates themselves.
    expectWithin(actual[velocity]!, expected[velocity]!, () => 12 * roundoff);
    expectWithin(actual[parameter]!, expected[parameter]!, () => 12 * roundoff);
    expectWithin(actual[gradient]!, expected[gradient]!, () => 0);
    expect(actual[parameter]).not.toEqual(Float32Array.from(list.values[parameter]!));
  }
});
