import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import { linearCongruential } from '../../src/core/nn/random.ts';
import { ReferenceTrainer } from '../../src/core/nn/referenceTrainer.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import type { ModelName } from '../../src/core/nn/zoo.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTrainer } from '../../src/gpu/train/gpuTrainer.ts';

/** How far a model's first steps on the GPU are from the interpreter's. */
export interface ZooErrors {
  /** The largest relative error of a loss, over the steps. */
  readonly loss: number;
  /** The largest |actual - expected| / |expected| of a whole gradient, in the first step. */
  readonly gradient: number;
  readonly worstGradient: string;
}

const steps = 3;
const batch = 2;
const input = { height: 9, width: 11, channels: 3 };
const rates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };

/** Trains a model of the zoo for three steps on the GPU and by the interpreter. */
export async function runZoo(model: ModelName): Promise<ZooErrors> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  try {
    const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
    const plan = trainingPlan(model, batch, input);
    const parameters = Float64Array.from(initialParameters(plan, 1), Math.fround);
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
      lossErrors.push(Math.abs(loss / expected - 1));
      if (step > 0) continue;
      const gradients = await trainer.readGradients();
      for (const [name, gradient] of reference.readGradients()) {
        const error = relativeError(gradients.get(name)!, gradient);
        if (!(error <= worst.gradient)) worst = { gradient: error, worstGradient: name };
      }
    }
    return { loss: Math.max(...lossErrors), ...worst };
  } finally {
    opened.device.destroy();
  }
}

function relativeError(actual: ArrayLike<number>, expected: Float64Array): number {
  let [difference, norm] = [0, 0];
  for (const [at, value] of expected.entries()) {
    difference += (actual[at]! - value) ** 2;
    norm += value ** 2;
  }
  return Math.sqrt(difference / Math.max(norm, 1e-24));
}
