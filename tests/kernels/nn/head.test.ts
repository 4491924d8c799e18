import { describe, expect, test } from 'vitest';
import { momentumUpdate, runReferenceOp, type TensorOp } from '../../../src/core/nn/reference.ts';
import { generator } from '../../support/random.ts';
import { expectWithin, openKernels, roundoff, runOnGpu, TensorList } from './opHarness.ts';

const gpu = await openKernels();

/** As for convolutions: sums of at most `terms` products, each within its magnitudes' roundoffs. */
async function check(
  op: TensorOp,
  list: TensorList,
  results: readonly number[],
  terms: number,
): Promise<void> {
  const actual = await runOnGpu(gpu, op, list);
  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  const magnitudes = list.values.map((values) => values.map(Math.abs));
  runReferenceOp(op, magnitudes);
  for (const { id } of list.specs) {
    const most = results.includes(id) ? (terms + 2) * roundoff : 0;
    expectWithin(actual[id]!, reference[id]!, (at) => most * magnitudes[id]![at]!);
  }
}

describe.each([
  { batch: 1, pixels: 1, channels: 1 },
  { batch: 1, pixels: 35, channels: 3 },
  { batch: 3, pixels: 64, channels: 5 },
  { batch: 2, pixels: 49, channels: 64 },
  { batch: 7, pixels: 6, channels: 130 },
])('average pool, $batch x $pixels x $channels', (geometry) => {
  const { batch, pixels, channels } = geometry;

  test('forward', async () => {
    const list = new TensorList();
    const input = list.random('activation', [batch, pixels, channels], 21);
    const output = list.output('activation', [batch, channels]);
    const op = {
      kind: 'globalAveragePool.forward',
      name: 'pool',
      geometry,
      input,
      output,
    } as const;
    await check(op, list, [output], pixels);
  });

  test('backward', async () => {
    const list = new TensorList();
    const outputGradient = list.random('activation', [batch, channels], 22);
    const inputGradient = list.output('activation', [batch, pixels, channels]);
    const op = {
      kind: 'globalAveragePool.backward',
      name: 'pool',
      geometry,
      outputGradient,
      inputGradient,
    } as const;
    await check(op, list, [inputGradient], 1);
  });
});

describe.each([
  { batch: 1, inFeatures: 1, outFeatures: 1 },
  { batch: 1, inFeatures: 64, outFeatures: 10 },
  { batch: 5, inFeatures: 3, outFeatures: 7 },
  { batch: 9, inFeatures: 33, outFeatures: 5 },
  { batch: 32, inFeatures: 64, outFeatures: 10 },
])('dense, $batch x $inFeatures to $outFeatures', (geometry) => {
  const { batch, inFeatures, outFeatures } = geometry;

  test('forward', async () => {
    const list = new TensorList();
    const input = list.random('activation', [batch, inFeatures], 23);
    const weight = list.random('parameter', [inFeatures, outFeatures], 24);
    const bias = list.random('parameter', [outFeatures], 25);
    const output = list.output('activation', [batch, outFeatures]);
    const op = {
      kind: 'dense.forward',
      name: 'head',
      geometry,
      input,
      weight,
      bias,
      output,
    } as const;
    await check(op, list, [output], inFeatures + 1);
  });

  test('backward to the input', async () => {
    const list = new TensorList();
    const outputGradient = list.random('activation', [batch, outFeatures], 26);
    const weight = list.random('parameter', [inFeatures, outFeatures], 27);
    const inputGradient = list.output('activation', [batch, inFeatures]);
    const op = {
      kind: 'dense.backwardInput',
      name: 'head',
      geometry,
      outputGradient,
      weight,
      inputGradient,
    } as const;
    await check(op, list, [inputGradient], outFeatures);
  });

  test('backward to the weight', async () => {
    const list = new TensorList();
    const input = list.random('activation', [batch, inFeatures], 28);
    const outputGradient = list.random('activation', [batch, outFeatures], 29);
    const weightGradient = list.output('gradient', [inFeatures, outFeatures]);
    const biasGradient = list.output('gradient', [outFeatures]);
    const op = {
      kind: 'dense.backwardWeight',
      name: 'head',
      geometry,
      input,
      outputGradient,
      weightGradient,
      biasGradient,
    } as const;
    await check(op, list, [weightGradient, biasGradient], batch);
  });
});

test.each([
  { batch: 1, classes: 2, scale: 1 },
  { batch: 7, classes: 10, scale: 4 },
  { batch: 130, classes: 3, scale: 1 },
  // exp(200) overflows f32 unless the largest logit is taken off first.
  { batch: 5, classes: 10, scale: 200 },
])('softmax, $batch images, $classes classes, logits to $scale', async (shape) => {
  const { batch, classes, scale } = shape;
  const list = new TensorList();
  const random = generator(30);
  const logits = list.add('activation', [batch, classes], () => scale * (2 * random() - 1));
  const labels = list.add('labels', [batch], (image) => image % classes);
  const losses = list.output('activation', [batch]);
  const logitsGradient = list.output('activation', [batch, classes]);
  const op = {
    kind: 'softmaxCrossEntropy',
    name: 'loss',
    batch,
    classes,
    logits,
    labels,
    losses,
    logitsGradient,
  } as const;
  const actual = await runOnGpu(gpu, op, list);
  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  // WGSL grants exp(x) an error of (3 + 2 |x|) units in the last place (two roundoffs each), and
  // log(x) near 1 one of 2^-21 absolute; sums add a roundoff a class. Shifts lie within 2 scale.
  const exponential = 2 * (3 + 2 * 2 * scale) + classes + 4;
  expectWithin(
    actual[losses]!,
    reference[losses]!,
    () => 2 ** -21 + roundoff * (exponential + 4 * scale),
  );
  expectWithin(
    actual[logitsGradient]!,
    reference[logitsGradient]!,
    () => (2 * exponential * roundoff) / batch,
  );
});

test.each([
  { length: 64, decayLength: 0 },
  { length: 192, decayLength: 64 },
  { length: 1088, decayLength: 1088 },
  { length: 64 * 97, decayLength: 64 * 51 },
])('momentum update, $length elements of which $decayLength decay', async (part) => {
  const rates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };
  const list = new TensorList();
  // One tensor takes the whole of each buffer.
  const parameter = list.random('parameter', [part.length], 31);
  list.parameterLength = 0;
  const gradient = list.random('gradient', [part.length], 32);
  list.parameterLength = 0;
  const velocity = list.random('velocity', [part.length], 33);
  const op = { kind: 'momentum.update', name: 'update', ...part } as const;
  const actual = await runOnGpu(gpu, op, list, rates);
  const expected = list.values.map((values) => values.slice());
  momentumUpdate(
    expected[parameter]!,
    expected[gradient]!,
    expected[velocity]!,
    part.decayLength,
    rates,
  );
  // At most six roundings of values below 2, and those of the rates themselves.
  expectWithin(actual[velocity]!, expected[velocity]!, () => 12 * roundoff);
  expectWithin(actual[parameter]!, expected[parameter]!, () => 12 * roundoff);
  expectWithin(actual[gradient]!, expected[gradient]!, () => 0);
  expect(actual[parameter]).not.toEqual(Float32Array.from(list.values[parameter]!));
});
