import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import { linearCongruential } from '../../src/core/nn/random.ts';
import { ReferenceTrainer } from '../../src/core/nn/referenceTrainer.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import type { ModelName } from '../../src/core/nn/zoo.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { GpuFault } from '../../src/gpu/faults.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTrainer } from '../../src/gpu/train/gpuTrainer.ts';

/** How far a model's first steps on the GPU are from the interpreter's. */
export interface ZooErrors {
  readonly kind: 'ok';
  /** The largest |actual - expected| / max(|expected|, 0.1) of a loss, over the steps. */
  readonly loss: number;
  /**
   * The largest |actual - expected| / max(|expected|, 1e-3 |largest gradient|) of a parameter's
   * gradient, in the first step.
   */
  readonly gradient: number;
  readonly worstGradient: string;
}

/** A model whose buffers are larger than the device grants. */
export interface ZooRefusal {
  readonly kind: 'refused';
  readonly reason: string;
}

const steps = 3;
const batch = 2;
const input = { height: 9, width: 11, channels: 3 };
/**
 * How a model starts and trains. `beta` is what every batch-norm adds at first: with it few values lie near
 * the zero of the ReLU that follows, where a rounding decides what a deep network does next
 * (tests/exhaustive/cpu-nn/zoo.test.ts).
 */
export interface ZooCondition {
  readonly beta: number;
  readonly learningRate: number;
}

/** Trains a model of the zoo for three steps on the GPU and by the interpreter. */
export async function runZoo(
  model: ModelName,
  { beta, learningRate }: ZooCondition,
): Promise<ZooErrors | ZooRefusal> {
  const rates = { learningRate, momentum: 0.9, weightDecay: 5e-4 };
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  try {
    const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
    const plan = trainingPlan(model, batch, input);
    const parameters = initialParameters(plan, 1).map(Math.fround);
    for (const { name, offset, length } of plan.parameters)
      if (name.endsWith('beta')) parameters.fill(beta, offset, offset + length);
    const reference = new ReferenceTrainer(plan, parameters);
    const trainer = await GpuTrainer.create(queue, plan, parameters);
    const random = linearCongruential(1);
    const length = batch * input.height * input.width * input.channels;
    const images = Float32Array.from({ length }, () => 2 * random() - 1);
    const labels = Uint32Array.from({ length: batch }, (_, image) => image);
    const lossErrors: number[] = [];
    let worst = { gradient: 0, worstGradient: '' };
    for (let step = 0; step < steps; step += 1) {
      const expected = reference.step(images, labels, rates);
      await trainer.step(images, labels, rates);
      const losses = await trainer.readLosses();
      const loss = losses.reduce((sum, value) => sum + value, 0) / batch;
      lossErrors.push(Math.abs(loss - expected) / Math.max(expected, 0.1));
      if (step > 0) continue;
      const gradients = await trainer.readGradients();
      const expectedGradients = reference.readGradients();
      const least = 1e-3 * Math.max(...[...expectedGradients.values()].map(norm));
      for (const [name, gradient] of expectedGradients) {
        const actual = gradients.get(name)!;
        const difference = norm(gradient.map((value, at) => actual[at]! - value));
        const error = difference / Math.max(norm(gradient), least);
        if (!(error <= worst.gradient)) worst = { gradient: error, worstGradient: name };
      }
    }
    return { kind: 'ok', loss: Math.max(...lossErrors), ...worst };
  } catch (error) {
    if (!(error instanceof GpuFault) || error.fault.kind !== 'out-of-memory') throw error;
    return { kind: 'refused', reason: error.fault.detail };
  } finally {
    opened.device.destroy();
  }
}

/** The Euclidean norm. */
function norm(vector: Float64Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}
