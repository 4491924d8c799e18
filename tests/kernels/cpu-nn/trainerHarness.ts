import { expect } from 'vitest';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import type { TrainingPlan } from '../../../src/core/nn/plan.ts';
import { ReferenceTrainer } from '../../../src/core/nn/referenceTrainer.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import type { ModelName } from '../../../src/core/nn/zoo.ts';
import type { Pool } from '../../../src/cpu/pool.ts';
import { CpuTrainer } from '../../../src/cpu/train/cpuTrainer.ts';
import { generator } from '../../support/random.ts';
import { rates } from './cpuHarness.ts';

/** Small, for the interpreter takes its time. */
const small = { height: 8, width: 8, channels: 1 };

/** A model on these images, at any batch. */
export function planOf(model: ModelName): (batch: number) => TrainingPlan {
  return (batch) => trainingPlan(model, batch, small);
}

/** Random images in [-1, 1), and labels in turn. */
export function randomBatch(batch: number) {
  const random = generator(61);
  return {
    images: Float32Array.from({ length: batch * 64 }, () => 2 * random() - 1),
    labels: Uint32Array.from({ length: batch }, (_, image) => image % 10),
  };
}

/**
 * Initial parameters, rounded to f32 so that both executors start alike. `beta` is what every
 * batch-norm adds: with more of it fewer values are near the zero of the ReLU that follows.
 */
export function rounded(plan: TrainingPlan, beta = 0): Float64Array {
  const parameters = initialParameters(plan, 1).map(Math.fround);
  for (const { name, offset, length } of plan.parameters)
    if (name.endsWith('beta')) parameters.fill(beta, offset, offset + length);
  return parameters;
}

/** The Euclidean norm. */
export function norm(vector: ArrayLike<number>): number {
  return Math.sqrt(Array.from(vector).reduce((sum, value) => sum + value * value, 0));
}

/** The tolerances of the golden runs: of a gradient, its distance from the reference by its norm. */
export function expectAlike(
  actual: ReadonlyMap<string, ArrayLike<number>>,
  expected: ReadonlyMap<string, ArrayLike<number>>,
): void {
  const largest = Math.max(...[...expected.values()].map(norm));
  for (const [name, reference] of expected) {
    const gradient = actual.get(name)!;
    const error = norm(Array.from(reference, (value, at) => gradient[at]! - value));
    expect(error, name).toBeLessThanOrEqual(1e-3 * Math.max(norm(reference), 1e-3 * largest));
  }
}

/** Requires one step of two threads to have the interpreter's loss, gradients and running statistics. */
export async function expectStepAlike(pool: Pool, model: ModelName, beta = 0): Promise<void> {
  const batch = 3;
  const plan = planOf(model)(batch);
  const parameters = rounded(plan, beta);
  const { images, labels } = randomBatch(batch);
  const shape = { planOf: planOf(model), batches: [batch], threads: 2 };
  const trainer = await CpuTrainer.create(pool, shape, parameters);
  await trainer.setInput(images, labels);
  await trainer.step(rates);
  const reference = new ReferenceTrainer(plan, parameters);
  const loss = reference.step(images, labels, rates);
  expect(Math.abs((await trainer.readLoss()) - loss)).toBeLessThanOrEqual(1e-4 * loss);
  expectAlike(await trainer.readGradients(), reference.readGradients());
  const { running } = await trainer.readTrained();
  reference.running.forEach((value, at) =>
    expect(Math.abs(running[at]! - value)).toBeLessThanOrEqual(1e-3 * (1 + Math.abs(value))),
  );
  await trainer.disband();
}
