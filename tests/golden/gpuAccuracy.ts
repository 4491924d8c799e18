import { fashionFiles } from '../../src/core/nn/fashionMnist.ts';
import { defaultRecipe } from '../../src/core/training/recipe.ts';
import { trainingRun } from '../../src/core/training/trainingRun.ts';
import { loadFashionMnist } from '../../src/data/fashionMnist.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTrainee } from '../../src/gpu/train/gpuTrainee.ts';

/** Three epochs of training and what they came to. */
export interface AccuracyRun {
  readonly steps: number;
  /** Of training, all steps together. */
  readonly seconds: number;
  readonly correct: number;
  readonly count: number;
}

/** Steps whose mean loss is a point of the curve. */
const stepsPerPoint = 32;

/** ResNet-8 on Fashion-MNIST by the recipe of the Train view; tells the curve on the console. */
export async function runAccuracy(): Promise<AccuracyRun> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  try {
    const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
    const train = await loadFashionMnist('train', fashionFiles.train.count);
    const test = await loadFashionMnist('test', fashionFiles.test.count);
    const trainee = await GpuTrainee.create(queue, defaultRecipe, train.shape);
    let run: AccuracyRun = { steps: 0, seconds: 0, correct: 0, count: test.count };
    let losses: number[] = [];
    await trainingRun(
      trainee,
      defaultRecipe,
      train,
      test,
      { pass: () => Promise.resolve() },
      (event) => {
        if (event.kind === 'step') {
          run = { ...run, steps: event.step, seconds: run.seconds + event.seconds };
          losses.push(event.loss);
          if (losses.length < stepsPerPoint) return;
          const loss = losses.reduce((sum, value) => sum + value, 0) / losses.length;
          console.info(`step ${event.step}: loss ${loss.toFixed(3)}`);
          losses = [];
        } else {
          run = { ...run, correct: event.correct };
          const share = (100 * event.correct) / event.count;
          console.info(`epoch ${event.epoch}: ${share.toFixed(2)} % of the test images`);
        }
      },
      () => performance.now() / 1000,
    );
    return run;
  } finally {
    opened.device.destroy();
  }
}
