import { evaluationPlan } from '../../src/core/nn/evaluationPlan.ts';
import { fashionFiles } from '../../src/core/nn/fashionMnist.ts';
import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import { linearCongruential } from '../../src/core/nn/random.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import { CpuEvaluator } from '../../src/cpu/train/cpuEvaluator.ts';
import { CpuTrainer } from '../../src/cpu/train/cpuTrainer.ts';
import { shares } from '../../src/cpu/train/sweepPoints.ts';
import { loadFashionMnist, type TrainingImages } from '../../src/data/fashionMnist.ts';
import type { CpuGoldenOptions } from './cpu.ts';
import { openPool } from './cpu-threads.ts';

const epochs = 3;
const batch = 32;
const seed = 1;

/** Three epochs of training and what they came to. */
export interface AccuracyRun {
  readonly steps: number;
  /** Of training, from the first step to the last. */
  readonly seconds: number;
  readonly correct: number;
  readonly count: number;
}

/**
 * ResNet-8 on Fashion-MNIST: batch 32 in a new random order each epoch, rate 0.1 falling linearly to
 * 0, momentum 0.9, decay 5e-4; then the test images, with the running statistics.
 */
export async function runAccuracy(options: CpuGoldenOptions): Promise<AccuracyRun> {
  const { threads, replicas, build, sharedMemory } = options;
  const pool = await openPool(threads * replicas, build, sharedMemory);
  try {
    const train = await loadFashionMnist('train', fashionFiles.train.count);
    const planOf = (images: number) => trainingPlan('resnet8', images, train.shape);
    const trainer = await CpuTrainer.create(
      pool,
      { planOf, batches: shares(batch, replicas), threads },
      initialParameters(planOf(batch), seed),
    );
    const random = linearCongruential(seed);
    const perEpoch = Math.floor(train.count / batch);
    const steps = epochs * perEpoch;
    const start = performance.now();
    for (let step = 0, order: number[] = []; step < steps; step++) {
      if (step % perEpoch === 0) order = shuffled(train.count, random);
      const first = (step % perEpoch) * batch;
      const { images, labels } = gather(train, order.slice(first, first + batch));
      await trainer.setInput(images, labels);
      const learningRate = 0.1 * (1 - step / steps);
      await trainer.step({ learningRate, momentum: 0.9, weightDecay: 5e-4 });
    }
    const seconds = (performance.now() - start) / 1000;
    const trained = await trainer.readTrained();
    await trainer.disband();
    const test = await loadFashionMnist('test', fashionFiles.test.count);
    const plan = evaluationPlan('resnet8', batch, test.shape);
    const evaluator = await CpuEvaluator.create(pool, plan, threads, trained);
    let correct = 0;
    for (let first = 0; first + batch <= test.count; first += batch) {
      const { images, labels } = gather(
        test,
        Array.from({ length: batch }, (_, at) => first + at),
      );
      correct += await evaluator.correct(images, labels);
    }
    return { steps, seconds, correct, count: test.count };
  } finally {
    pool.terminate();
  }
}

/** Every number below `length`, in random order (Fisher and Yates). */
function shuffled(length: number, random: () => number): number[] {
  const order = Array.from({ length }, (_, at) => at);
  for (let last = length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

function gather({ images, labels, count }: TrainingImages, chosen: readonly number[]) {
  const length = images.length / count;
  const gathered = new Float32Array(chosen.length * length);
  for (const [slot, image] of chosen.entries())
    gathered.set(images.subarray(image * length, (image + 1) * length), slot * length);
  return { images: gathered, labels: chosen.map((image) => labels[image]!) };
}
