import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Layer } from '../../../src/core/nn/graph.ts';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import type { ImageShape, TrainingPlan } from '../../../src/core/nn/plan.ts';
import { linearCongruential } from '../../../src/core/nn/random.ts';
import { ReferenceTrainer } from '../../../src/core/nn/referenceTrainer.ts';
import { layersPlan, trainingPlan } from '../../../src/core/nn/trainingPlan.ts';

/** A step with these rates leaves the parameters as they are. */
const still = { learningRate: 0, momentum: 0, weightDecay: 0 };
const difference = 1e-5;

/** A trainer with one step behind it, and its loss with all parameters moved along a direction. */
function prepare(plan: TrainingPlan, seed: number) {
  const next = linearCongruential(seed);
  const { height, width, channels } = plan.input;
  const images = Float64Array.from(
    { length: plan.batch * height * width * channels },
    () => 2 * next() - 1,
  );
  const labels = Uint32Array.from({ length: plan.batch }, (_, image) => image % plan.classes);
  const trainer = new ReferenceTrainer(plan, initialParameters(plan, seed));
  // Gamma and beta away from 1 and 0, where errors in them would not show.
  for (let at = 0; at < plan.parameterLength; at += 1)
    trainer.parameters[at]! += 0.1 * (2 * next() - 1);
  trainer.step(images, labels, still);
  const lossAlong = (direction: ReadonlyMap<number, number>, shift: number): number => {
    const kept = trainer.parameters.slice();
    for (const [at, amount] of direction) trainer.parameters[at]! += shift * amount;
    const loss = trainer.step(images, labels, still);
    trainer.parameters.set(kept);
    return loss;
  };
  const slopeAlong = (direction: ReadonlyMap<number, number>): number =>
    (lossAlong(direction, difference) - lossAlong(direction, -difference)) / (2 * difference);
  return { gradients: trainer.gradients.slice(), slopeAlong, next };
}

/**
 * Largest deviation of the plan's gradient from central differences of its loss, over every
 * parameter, relative to the largest gradient.
 */
function gradientError(plan: TrainingPlan, seed: number): number {
  const { gradients, slopeAlong } = prepare(plan, seed);
  const largest = gradients.reduce((max, gradient) => Math.max(max, Math.abs(gradient)), 0);
  expect(largest).toBeGreaterThan(0);
  let error = 0;
  for (const { offset, length } of plan.parameters)
    for (let at = offset; at < offset + length; at += 1) {
      const slope = slopeAlong(new Map([[at, 1]]));
      error = Math.max(error, Math.abs(slope - gradients[at]!) / largest);
    }
  return error;
}

/**
 * The same for nets too large to try each parameter: a random direction in each tensor, relative to
 * the tensor's gradient norm.
 */
function directionError(plan: TrainingPlan, seed: number): number {
  const { gradients, slopeAlong, next } = prepare(plan, seed);
  const errors = plan.parameters.map(({ offset, length }) => {
    const entries = Array.from(
      { length },
      (_, at) => [offset + at, (2 * next() - 1) / Math.sqrt(length)] as const,
    );
    const expected = entries.reduce((sum, [at, amount]) => sum + amount * gradients[at]!, 0);
    const norm = Math.hypot(...gradients.subarray(offset, offset + length));
    return Math.abs(slopeAlong(new Map(entries)) - expected) / norm;
  });
  return Math.max(...errors);
}

const head = (input: string, outFeatures = 3): Layer[] => [
  { name: 'pool', kind: 'globalAveragePool', input },
  { name: 'head', kind: 'dense', input: 'pool', outFeatures },
  { name: 'loss', kind: 'softmaxCrossEntropy', input: 'head' },
];

const odd: ImageShape = { height: 5, width: 7, channels: 3 };

/** Each net puts another op, or another meeting of branches, above trainable layers. */
const nets: Record<string, Layer[]> = {
  'dense after dense': [
    { name: 'first', kind: 'globalAveragePool', input: 'images' },
    { name: 'hidden', kind: 'dense', input: 'first', outFeatures: 5 },
    { name: 'head', kind: 'dense', input: 'hidden', outFeatures: 3 },
    { name: 'loss', kind: 'softmaxCrossEntropy', input: 'head' },
  ],
  'convolution after convolution': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 2, kernel: 3, stride: 1 },
    { name: 'b', kind: 'conv2d', input: 'a', outChannels: 5, kernel: 3, stride: 2 },
    ...head('b'),
  ],
  'batch-norm without activation': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 2, kernel: 3, stride: 1 },
    { name: 'a.bn', kind: 'batchNorm', input: 'a', activation: 'none' },
    { name: 'b', kind: 'conv2d', input: 'a.bn', outChannels: 3, kernel: 3, stride: 2 },
    ...head('b'),
  ],
  'residual: a value read by a convolution and a batch-norm': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 4, kernel: 3, stride: 1 },
    { name: 'b', kind: 'conv2d', input: 'a', outChannels: 4, kernel: 3, stride: 1 },
    { name: 'b.bn', kind: 'batchNorm', input: 'b', activation: 'relu', residual: 'a' },
    ...head('b.bn'),
  ],
  'projection: a value read by two convolutions, the residual from a batch-norm': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 2, kernel: 3, stride: 1 },
    { name: 'b', kind: 'conv2d', input: 'a', outChannels: 3, kernel: 3, stride: 2 },
    { name: 'b.bn', kind: 'batchNorm', input: 'b', activation: 'relu', residual: 'p.bn' },
    { name: 'p', kind: 'conv2d', input: 'a', outChannels: 3, kernel: 1, stride: 2 },
    { name: 'p.bn', kind: 'batchNorm', input: 'p', activation: 'none' },
    ...head('b.bn'),
  ],
  'a value read three times': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 3, kernel: 3, stride: 1 },
    { name: 'b', kind: 'conv2d', input: 'a', outChannels: 3, kernel: 3, stride: 1 },
    { name: 'c', kind: 'conv2d', input: 'a', outChannels: 3, kernel: 5, stride: 1 },
    { name: 'c.bn', kind: 'batchNorm', input: 'c', activation: 'none', residual: 'a' },
    { name: 'b.bn', kind: 'batchNorm', input: 'b', activation: 'relu', residual: 'c.bn' },
    ...head('b.bn'),
  ],
  'kernels of one row and of one column': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 3, kernel: [1, 7], stride: 1 },
    { name: 'b', kind: 'conv2d', input: 'a', outChannels: 2, kernel: [5, 1], stride: 2 },
    ...head('b'),
  ],
  'concatenation of branches, and of images': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 3, kernel: 3, stride: 1 },
    { name: 'b', kind: 'conv2d', input: 'images', outChannels: 1, kernel: 1, stride: 1 },
    { name: 'join', kind: 'concat', inputs: ['a', 'images', 'b'] },
    { name: 'c', kind: 'conv2d', input: 'join', outChannels: 2, kernel: 3, stride: 1 },
    ...head('c'),
  ],
  'dense connections: a value concatenated, pooled and convolved': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 2, kernel: 3, stride: 1 },
    { name: 'b', kind: 'conv2d', input: 'a', outChannels: 3, kernel: 3, stride: 1 },
    { name: 'p', kind: 'maxPool', input: 'a', kernel: 3, stride: 1, padding: 1 },
    { name: 'join', kind: 'concat', inputs: ['a', 'b', 'p', 'a'] },
    { name: 'join.bn', kind: 'batchNorm', input: 'join', activation: 'relu' },
    { name: 'c', kind: 'conv2d', input: 'join.bn', outChannels: 2, kernel: 1, stride: 1 },
    ...head('c'),
  ],
  'maximum pool that overlaps and pads, of images too': [
    { name: 'first', kind: 'maxPool', input: 'images', kernel: 2, stride: 1, padding: 0 },
    { name: 'a', kind: 'conv2d', input: 'first', outChannels: 3, kernel: 3, stride: 1 },
    { name: 'p', kind: 'maxPool', input: 'a', kernel: 3, stride: 2, padding: 1 },
    ...head('p'),
  ],
  'average pool that overlaps and pads': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 3, kernel: 3, stride: 1 },
    { name: 'p', kind: 'averagePool', input: 'a', kernel: [3, 2], stride: 2, padding: 1 },
    ...head('p'),
  ],
  'a batch-norm whose input is its residual': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 3, kernel: 3, stride: 1 },
    { name: 'a.bn', kind: 'batchNorm', input: 'a', activation: 'relu', residual: 'a' },
    ...head('a.bn'),
  ],
  'a value read by two pools': [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 3, kernel: 3, stride: 1 },
    { name: 'p', kind: 'averagePool', input: 'a', kernel: 2, stride: 2, padding: 0 },
    { name: 'q', kind: 'maxPool', input: 'a', kernel: 2, stride: 2, padding: 0 },
    { name: 'join', kind: 'concat', inputs: ['p', 'q'] },
    ...head('join'),
  ],
};

/** A kind that is missing here does not compile. */
const kinds = {
  conv2d: true,
  batchNorm: true,
  concat: true,
  maxPool: true,
  averagePool: true,
  globalAveragePool: true,
  dense: true,
  softmaxCrossEntropy: true,
} as const satisfies Record<Layer['kind'], true>;

describe('gradients are those of the loss', () => {
  test('of nets that have every kind of layer between them', () => {
    const layers = Object.values(nets).flat();
    expect(new Set(layers.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  });

  test.each(Object.entries(nets))('%s', (name, layers) => {
    expect(gradientError(layersPlan(name, layers, 4, odd), 11)).toBeLessThan(1e-6);
  });

  test('on random shapes, kernels, strides and batches', () => {
    const shapes = fc.record({
      batch: fc.integer({ min: 1, max: 3 }),
      height: fc.integer({ min: 2, max: 6 }),
      width: fc.integer({ min: 2, max: 6 }),
      channels: fc.integer({ min: 1, max: 3 }),
      outChannels: fc.integer({ min: 1, max: 5 }),
      kernel: fc.constantFrom(1, 3, 5),
      stride: fc.integer({ min: 1, max: 3 }),
      seed: fc.nat(1000),
    });
    const property = fc.property(
      shapes,
      ({ batch, outChannels, kernel, stride, seed, ...input }) => {
        const layers: Layer[] = [
          { name: 'a', kind: 'conv2d', input: 'images', outChannels: 3, kernel: 3, stride: 1 },
          { name: 'a.bn', kind: 'batchNorm', input: 'a', activation: 'relu' },
          { name: 'b', kind: 'conv2d', input: 'a.bn', outChannels, kernel, stride },
          { name: 'p', kind: 'conv2d', input: 'a.bn', outChannels, kernel: 1, stride },
          { name: 'b.bn', kind: 'batchNorm', input: 'b', activation: 'none', residual: 'p' },
          ...head('b.bn'),
        ];
        expect(gradientError(layersPlan('random', layers, batch, input), seed)).toBeLessThan(1e-6);
      },
    );
    fc.assert(property, { numRuns: 25, seed: 3 });
  });
});

describe('gradients of the zoo', () => {
  test.each(['resnet8', 'resnet14', 'plain8', 'bottleneck11', 'inception'] as const)(
    '%s',
    (model) => {
      const plan = trainingPlan(model, 2, { height: 8, width: 8, channels: 2 });
      expect(directionError(plan, 5)).toBeLessThan(1e-6);
    },
  );
});
