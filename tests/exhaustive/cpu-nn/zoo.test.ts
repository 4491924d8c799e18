import { afterAll, expect, test } from 'vitest';
import { linearCongruential } from '../../../src/core/nn/random.ts';
import { ReferenceTrainer } from '../../../src/core/nn/referenceTrainer.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { modelNames } from '../../../src/core/nn/zoo.ts';
import { openPool } from '../../golden/cpu-threads.ts';
import { rates } from '../../kernels/cpu-nn/cpuHarness.ts';
import {
  expectStepAlike,
  norm,
  planOf,
  randomBatch,
  rounded,
} from '../../kernels/cpu-nn/trainerHarness.ts';
import { roundoff } from '../../kernels/nn/opHarness.ts';
import { RoundedTrainer } from '../../support/rounded-reference.ts';
import { passWithSigns, type NearZero } from '../../support/turned-sign.ts';

const pool = await openPool(2, 'relaxed-simd', true);
afterAll(() => pool.terminate());

/** The interpreter takes its time over those that are both wide and deep. */
const mostMilliseconds = 180_000;
const models = modelNames.filter((name) => name !== 'plain56');

test.each(models)(
  '%s trains as the interpreter does',
  (model) => expectStepAlike(pool, model),
  mostMilliseconds,
);

/**
 * Gradients of a deep network with batch-norm and ReLU and without shortcuts explode (Yang et al., A
 * Mean Field Theory of Batch Normalization, 2019): its step says nothing in f32, whoever computes it.
 * A beta of 1 keeps most values on one side of the ReLU.
 */
test('plain56 trains as the interpreter does where it is well conditioned', () =>
  expectStepAlike(pool, 'plain56', 1));

test.each([
  { beta: 0, least: 0.01, most: 1 },
  { beta: 1, least: 0, most: 1e-5 },
])('rounding to f32 alone changes plain56 by $least to $most at beta $beta', (expected) => {
  const plan = planOf('plain56')(3);
  const { images, labels } = randomBatch(3);
  const parameters = rounded(plan, expected.beta);
  const reference = new ReferenceTrainer(plan, parameters);
  reference.step(images, labels, rates);
  const exact = reference.readGradients().get('stem.conv')!;
  const rounded32 = new RoundedTrainer(plan, parameters);
  rounded32.step(images, labels, rates);
  const inF32 = rounded32.readGradients().get('stem.conv')!;
  const error = norm(exact.map((value, at) => inF32[at]! - value)) / norm(exact);
  expect(error).toBeGreaterThan(expected.least);
  expect(error).toBeLessThan(expected.most);
});

test('one value that rounding may put on the other side of a ReLU is all that resnet32x4 can be off by', () => {
  // As `verify:golden --zoo` has them, with betas of 0.
  const plan = trainingPlan('resnet32x4', 2, { height: 9, width: 11, channels: 3 });
  const parameters = rounded(plan);
  const random = linearCongruential(1);
  const images = Float32Array.from({ length: 2 * 9 * 11 * 3 }, () => 2 * random() - 1);
  const pass = (turned?: NearZero) => passWithSigns(plan, parameters, images, [0, 1], turned);
  const { nearest, gradients } = pass();
  // Values are of the order of 1, and pass through 32 layers.
  expect(Math.abs(nearest.value)).toBeLessThan(32 * roundoff);
  const turned = pass(nearest).gradients;
  // Firefox's deviation is as large, and largest there too (docs/method/training-time.md).
  const name = 'stage1.block3.bn2.gamma';
  const exact = gradients.get(name)!;
  const error = norm(exact.map((value, at) => turned.get(name)![at]! - value)) / norm(exact);
  expect(error).toBeCloseTo(0.0185, 4);
});
