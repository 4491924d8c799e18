import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultRecipe,
  epochOrder,
  ratesAt,
  stepsPerEpoch,
} from '../../../src/core/training/recipe.ts';
import {
  trainingRun,
  type ImageSet,
  type Trainee,
  type TrainingEvent,
} from '../../../src/core/training/trainingRun.ts';

/** Image i is [i, i], its label i mod 10. */
function imageSet(count: number): ImageSet {
  return {
    count,
    images: Float32Array.from({ length: 2 * count }, (_, at) => Math.floor(at / 2)),
    labels: Uint32Array.from({ length: count }, (_, at) => at % 10),
  };
}

class RecordingTrainee implements Trainee {
  readonly seen: number[][] = [];
  readonly rates: number[] = [];

  step(images: Float32Array, labels: Uint32Array, rates: { learningRate: number }) {
    const ids = Array.from({ length: labels.length }, (_, at) => images[2 * at]!);
    expect([...labels]).toEqual(ids.map((id) => id % 10));
    expect([...images]).toEqual(ids.flatMap((id) => [id, id]));
    this.seen.push(ids);
    this.rates.push(rates.learningRate);
    return Promise.resolve(1 / this.seen.length);
  }

  evaluate({ count }: ImageSet) {
    return Promise.resolve({ correct: this.seen.length, count });
  }
}

const open = { pass: () => Promise.resolve() };
const recipe = { ...defaultRecipe, batch: 4, epochs: 2 };

describe('recipe', () => {
  test('an epoch is a permutation, another one each time, the same one again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(9), (count, epoch) => {
        const order = epochOrder(recipe, epoch, count);
        expect([...order].toSorted((a, b) => a - b)).toEqual([...Array(count).keys()]);
        expect(epochOrder(recipe, epoch, count)).toEqual(order);
      }),
    );
    expect(epochOrder(recipe, 0, 100)).not.toEqual(epochOrder(recipe, 1, 100));
  });

  test('the rate falls linearly from the first step to 0 behind the last', () => {
    expect([0, 50, 99].map((step) => ratesAt(recipe, step, 100).learningRate)).toEqual([
      0.1,
      0.05,
      expect.closeTo(0.001, 12),
    ]);
  });

  test('only whole batches', () => {
    expect(stepsPerEpoch({ ...recipe, batch: 32 }, 8192)).toBe(256);
    expect(stepsPerEpoch(recipe, 11)).toBe(2);
  });
});

describe('training run', () => {
  test('every epoch shows each image once, with its label, and ends with an evaluation', async () => {
    const trainee = new RecordingTrainee();
    const events: TrainingEvent[] = [];
    let seconds = 0;
    const now = () => (seconds += 0.5);
    const tell = (event: TrainingEvent) => events.push(event);
    await trainingRun(trainee, recipe, imageSet(12), imageSet(5), open, tell, now);
    expect(events.map(({ kind, step }) => `${kind} ${step}`)).toEqual([
      'step 1',
      'step 2',
      'step 3',
      'evaluation 3',
      'step 4',
      'step 5',
      'step 6',
      'evaluation 6',
    ]);
    for (const epoch of [trainee.seen.slice(0, 3), trainee.seen.slice(3)])
      expect(epoch.flat().toSorted((a, b) => a - b)).toEqual([...Array(12).keys()]);
    expect(trainee.rates[0]).toBe(0.1);
    expect(trainee.rates.at(-1)).toBeCloseTo(0.1 / 6, 12);
    expect(events.at(-1)).toEqual({ kind: 'evaluation', step: 6, epoch: 2, correct: 6, count: 5 });
    expect(events[0]).toMatchObject({ seconds: 0.5, loss: 1, steps: 6, epoch: 1 });
  });

  test('a stop ends it between steps, and what was told stays', async () => {
    const trainee = new RecordingTrainee();
    const events: TrainingEvent[] = [];
    const stopped = new Error('stopped');
    const pass = () =>
      trainee.seen.length < 2 ? Promise.resolve() : Promise.reject<void>(stopped);
    const run = trainingRun(
      trainee,
      recipe,
      imageSet(12),
      imageSet(5),
      { pass },
      (event) => events.push(event),
      () => 0,
    );
    await expect(run).rejects.toBe(stopped);
    expect(events).toHaveLength(2);
  });
});
