import type { Recipe } from '../../core/training/recipe.ts';
import {
  trainingRun,
  type TrainingEvent,
  type TrainingGate,
} from '../../core/training/trainingRun.ts';
import { fashionFiles } from '../../core/nn/fashionMnist.ts';
import { loadFashionMnist } from '../../data/fashionMnist.ts';
import type { OpenGpu } from '../device.ts';
import { GpuQueue } from '../queue.ts';
import { GpuTrainee } from './gpuTrainee.ts';

/**
 * Trains by a recipe on an open device, on all of Fashion-MNIST; `ready` is called when the first
 * step can begin. Rejects with the gate's reason, a `GpuFault` or a `DataError`.
 */
export async function trainOnGpu(
  { device, watch }: OpenGpu,
  recipe: Recipe,
  gate: TrainingGate,
  ready: () => void,
  tell: (event: TrainingEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const queue = new GpuQueue(device, watch, signal);
  const [training, test] = await queue.settled(
    Promise.all([
      loadFashionMnist('train', fashionFiles.train.count),
      loadFashionMnist('test', fashionFiles.test.count),
    ]),
  );
  const trainee = await GpuTrainee.create(queue, recipe, training.shape);
  try {
    ready();
    await trainingRun(trainee, recipe, training, test, gate, tell, secondsNow);
  } finally {
    trainee.destroy();
  }
}

function secondsNow(): number {
  return performance.now() / 1000;
}
