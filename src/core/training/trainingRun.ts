import type { StepRates } from '../nn/plan.ts';
import { epochOrder, ratesAt, stepsPerEpoch, type Recipe } from './recipe.ts';

/** Images of one split, NHWC, and one class number an image. */
export interface ImageSet {
  readonly count: number;
  readonly images: Float32Array;
  readonly labels: Uint32Array;
}

/** How well a network tells images that it was not trained on. */
export interface Evaluation {
  readonly correct: number;
  readonly count: number;
}

/** A network on some device, as a training run sees it. */
export interface Trainee {
  /** One step; the mean loss of the batch before its update. */
  step(images: Float32Array, labels: Uint32Array, rates: StepRates): Promise<number>;
  /** Over whole sets of any length, with running statistics. */
  evaluate(set: ImageSet): Promise<Evaluation>;
}

/** What a training run tells. */
export type TrainingEvent =
  | {
      readonly kind: 'step';
      /** Steps done so far, this one included, and in all. */
      readonly step: number;
      readonly steps: number;
      /** Epochs begun, from 1. */
      readonly epoch: number;
      /** Before the step's update. */
      readonly loss: number;
      readonly learningRate: number;
      /** Of this step, by the wall clock. */
      readonly seconds: number;
    }
  | ({ readonly kind: 'evaluation'; readonly step: number; readonly epoch: number } & Evaluation);

/** Where a run waits while it is paused, and where it ends when it is stopped. */
export interface TrainingGate {
  /** Resolves when the run may go on; rejects when it is stopped. */
  pass(): Promise<void>;
}

/**
 * Trains by a recipe, every epoch in an order of its own, and evaluates after each. Rejects with what
 * the gate or the device rejects with; what was told before holds. `now` is in seconds.
 */
export async function trainingRun(
  trainee: Trainee,
  recipe: Recipe,
  training: ImageSet,
  test: ImageSet,
  gate: TrainingGate,
  tell: (event: TrainingEvent) => void,
  now: () => number,
): Promise<void> {
  const { batch, epochs } = recipe;
  const perEpoch = stepsPerEpoch(recipe, training.count);
  const steps = perEpoch * epochs;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = epochOrder(recipe, epoch, training.count);
    for (let inEpoch = 0; inEpoch < perEpoch; inEpoch++) {
      await gate.pass();
      const step = epoch * perEpoch + inEpoch;
      const rates = ratesAt(recipe, step, steps);
      const chosen = order.subarray(inEpoch * batch, (inEpoch + 1) * batch);
      const { images, labels } = gather(training, chosen);
      const begin = now();
      const loss = await trainee.step(images, labels, rates);
      const seconds = now() - begin;
      const { learningRate } = rates;
      tell({ kind: 'step', step: step + 1, steps, epoch: epoch + 1, loss, learningRate, seconds });
    }
    await gate.pass();
    const evaluation = await trainee.evaluate(test);
    tell({ kind: 'evaluation', step: (epoch + 1) * perEpoch, epoch: epoch + 1, ...evaluation });
  }
}

/** The chosen images, one after the other. */
function gather({ count, images, labels }: ImageSet, chosen: Uint32Array) {
  const length = images.length / count;
  const gathered = new Float32Array(chosen.length * length);
  for (const [place, index] of chosen.entries())
    gathered.set(images.subarray(index * length, (index + 1) * length), place * length);
  return { images: gathered, labels: Uint32Array.from(chosen, (index) => labels[index]!) };
}
