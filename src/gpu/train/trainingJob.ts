import type { Recipe } from '../../core/training/recipe.ts';
import {
  trainingRun,
  type TrainingEvent,
  type TrainingGate,
} from '../../core/training/trainingRun.ts';
import type { EarlierChoices } from '../../core/tuning/keptChoices.ts';
import { fashionFiles } from '../../core/nn/fashionMnist.ts';
import { loadFashionMnist } from '../../data/fashionMnist.ts';
import type { OpenGpu } from '../device.ts';
import { GpuQueue } from '../queue.ts';
import { GpuTrainee } from './gpuTrainee.ts';
import { variantChoices } from './tuner.ts';

/** How whoever asked for a training leads it and hears of it. */
interface TrainingLead {
  readonly gate: TrainingGate;
  /** Called when the first step can begin. */
  readonly ready: () => void;
  readonly tell: (event: TrainingEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Trains by a recipe on an open device, on all of Fashion-MNIST, with the kernels that earlier runs
 * chose. Rejects with the gate's reason, a `GpuFault` or a `DataError`.
 */
export async function trainOnGpu(
  { device, watch, environment }: OpenGpu,
  recipe: Recipe,
  earlierChoices: EarlierChoices,
  { gate, ready, tell, signal }: TrainingLead,
): Promise<void> {
  const queue = new GpuQueue(device, watch, signal);
  const [training, test] = await queue.settled(
    Promise.all([
      loadFashionMnist('train', fashionFiles.train.count),
      loadFashionMnist('test', fashionFiles.test.count),
    ]),
  );
  const choices = variantChoices(earlierChoices[environment.deviceId] ?? []);
  const trainee = await GpuTrainee.create(queue, recipe, training.shape, choices);
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
