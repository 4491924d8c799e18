import { afterAll, describe, expect, test } from 'vitest';
import { evaluationPlan } from '../../../src/core/nn/evaluationPlan.ts';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import { evaluateReference } from '../../../src/core/nn/referenceEvaluation.ts';
import { ReferenceTrainer } from '../../../src/core/nn/referenceTrainer.ts';
import type { TrainingPlan } from '../../../src/core/nn/plan.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import type { ModelName } from '../../../src/core/nn/zoo.ts';
import { choicesOf } from '../../../src/gpu/kernels/convVariants.ts';
import { KernelSet } from '../../../src/gpu/kernels/kernelSet.ts';
import { GpuTrainer } from '../../../src/gpu/train/gpuTrainer.ts';
import { trainerMemory } from '../../../src/gpu/train/trainerMemory.ts';
import { generator } from '../../support/random.ts';
import { watchMemory } from './memoryLedger.ts';
import { openKernels } from './opHarness.ts';

const { queue, kernels: sharedKernels } = await openKernels();
afterAll(() => queue.device.destroy());

const rates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };
/** Odd, so that windows and tails meet every border. */
const input = { height: 9, width: 11, channels: 3 };

/** Random images in [-1, 1), and labels in turn. */
function batchOf(count: number, seed: number) {
  const next = generator(seed);
  const length = input.height * input.width * input.channels;
  return {
    images: Float32Array.from({ length: count * length }, () => 2 * next() - 1),
    labels: Uint32Array.from({ length: count }, (_, image) => (3 * image) % 10),
  };
}

function mean(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/** |actual - expected| / |expected|, of whole tensors. */
function relativeError(actual: ArrayLike<number>, expected: Float64Array): number {
  const norm = Math.hypot(...expected);
  return Math.hypot(...expected.map((value, at) => actual[at]! - value)) / Math.max(norm, 1e-12);
}

describe.each<ModelName>(['inception', 'bottleneck11'])('%s', (model) => {
  const batch = 2;
  const { images, labels } = batchOf(batch, 71);

  test('three steps and an evaluation are the interpreter’s', async () => {
    const plan = trainingPlan(model, batch, input);
    const parameters = Float64Array.from(initialParameters(plan, 1), Math.fround);
    const reference = new ReferenceTrainer(plan, parameters);
    // One variant for all: what others compute is compared op by op.
    const support = await sharedKernels.support();
    const choices = choicesOf(plan.ops, support, support.quads ? 'quad' : 'matrix');
    const trainer = await GpuTrainer.create(queue, plan, parameters, sharedKernels, choices);
    for (let step = 0; step < 3; step++) {
      const expected = reference.step(images, labels, rates);
      await trainer.step(images, labels, rates);
      const loss = mean(await trainer.readLosses());
      expect(Math.abs(loss / expected - 1), `loss of step ${step}`).toBeLessThan(1e-4);
      if (step > 0) continue;
      const gradients = await trainer.readGradients();
      for (const [name, gradient] of reference.readGradients())
        expect(relativeError(gradients.get(name)!, gradient), name).toBeLessThan(1e-3);
    }
    const evaluation = evaluationPlan(model, 5, input);
    const evaluator = await trainer.evaluator(evaluation);
    const test5 = batchOf(5, 72);
    const result = await evaluator.evaluate(test5.images, test5.labels);
    const expected = evaluateReference(evaluation, reference, test5.images, test5.labels);
    expect(Math.abs(mean(result.losses) / expected.meanLoss - 1)).toBeLessThan(2e-3);
    expect(result.correct.reduce((sum, right) => sum + right, 0)).toBe(expected.correct);
  });
});

test('steps leave memory as it is, and a trainer that is destroyed leaves none', async () => {
  const kernels = new KernelSet(queue);
  const liveSize = watchMemory(queue);
  const plan = trainingPlan('resnet8', 2, input);
  const { images, labels } = batchOf(2, 73);
  const trainer = await GpuTrainer.create(queue, plan, initialParameters(plan, 1), kernels);
  await trainer.step(images, labels, rates);
  await trainer.readLosses();
  const after = liveSize();
  expect(after).toBeGreaterThanOrEqual(trainer.memorySize);
  for (let step = 0; step < 8; step++) {
    await trainer.step(images, labels, rates);
    await trainer.readLosses();
  }
  expect(liveSize()).toBe(after);
  trainer.destroy();
  kernels.destroy();
  expect(liveSize()).toBe(0);
});

test('a step that the device has no buffer for is refused, and the largest that fits is named', () => {
  const plan = trainingPlan('resnet8', 512, input);
  expect(() => trainerMemory(plan, 2 ** 20)).toThrow(
    /a step of 512 images of resnet8 needs a buffer of .*; the largest batch that fits is \d+/,
  );
  const fits = Number(/fits is (\d+)/.exec(refusalOf(plan, 2 ** 20))?.[1]);
  expect(trainerMemory(trainingPlan('resnet8', fits, input), 2 ** 20).liveSize).toBeGreaterThan(0);
  expect(() => trainerMemory(trainingPlan('resnet8', fits + 1, input), 2 ** 20)).toThrow();
});

function refusalOf(plan: TrainingPlan, bufferSize: number): string {
  try {
    trainerMemory(plan, bufferSize);
  } catch (error) {
    return String(error);
  }
  return '';
}
