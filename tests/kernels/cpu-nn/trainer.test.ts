import { afterAll, describe, expect, test } from 'vitest';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import type { TrainingPlan } from '../../../src/core/nn/plan.ts';
import { ReferenceTrainer } from '../../../src/core/nn/referenceTrainer.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import type { Pool } from '../../../src/cpu/pool.ts';
import { CpuTrainer } from '../../../src/cpu/train/cpuTrainer.ts';
import { openPool } from '../../golden/cpu-threads.ts';
import { firstDifference } from '../../support/bits.ts';
import { rates } from './cpuHarness.ts';
import { countMade, heapSize, tellsHeaps } from './memoryWatch.ts';
import { expectAlike, expectStepAlike, planOf, randomBatch, rounded } from './trainerHarness.ts';

const pool = await openPool(2, 'relaxed-simd', true);
const ownMemories = await openPool(2, 'relaxed-simd', false);
afterAll(() => {
  pool.terminate();
  ownMemories.terminate();
});

/** Bytes that are less than anything that is kept of a step: a promise alone takes as many. */
const leastKept = 64;
const settlingSteps = 150;
/** Memory is looked at after so many, four times at the least. */
const partSteps = 125;
/** The engine may optimise until as late. */
const mostParts = 16;

/** One network of each build; the whole zoo is among the exhaustive tests. */
test.each(['resnet8', 'resnet14x2', 'plain8', 'bottleneck11', 'inception'] as const)(
  '%s trains as the interpreter does',
  (model) => expectStepAlike(pool, model),
);

describe.each([
  { memory: 'one memory', threads: pool },
  { memory: 'memories of their own', threads: ownMemories },
])('replicas on $memory', ({ threads: own }) => {
  test('average the gradients of unlike shares as the interpreter does', async () => {
    const batches = [3, 2];
    const { images, labels } = randomBatch(5);
    const parameters = rounded(planOf('resnet8')(5));
    const shape = { planOf: planOf('resnet8'), batches, threads: 1 };
    const trainer = await CpuTrainer.create(own, shape, parameters);
    await trainer.setInput(images, labels);
    await trainer.step(rates);

    const shards = batches.map((batch, at) => {
      const first = at === 0 ? 0 : batches[0]!;
      const reference = new ReferenceTrainer(planOf('resnet8')(batch), parameters);
      const loss = reference.step(
        images.subarray(first * 64, (first + batch) * 64),
        labels.subarray(first, first + batch),
        rates,
      );
      return { gradients: reference.readGradients(), loss, share: batch / 5 };
    });
    const expected = new Map(
      [...shards[0]!.gradients].map(([name, gradient]) => [
        name,
        gradient.map((_, at) =>
          shards.reduce((sum, shard) => sum + shard.share * shard.gradients.get(name)![at]!, 0),
        ),
      ]),
    );
    const loss = shards.reduce((sum, shard) => sum + shard.share * shard.loss, 0);
    expect(Math.abs((await trainer.readLoss()) - loss)).toBeLessThanOrEqual(1e-4 * loss);
    expectAlike(await trainer.readGradients(), expected);
    await trainer.disband();
  });
});

async function startTraining(threads: Pool) {
  const { images, labels } = randomBatch(2);
  const parameters = rounded(planOf('resnet8')(2));
  const shape = { planOf: planOf('resnet8'), batches: [2], threads: 2 };
  const trainer = await CpuTrainer.create(threads, shape, parameters);
  await trainer.setInput(images, labels);
  return {
    trainer,
    train: async (steps: number) => {
      for (let step = 0; step < steps; step++) await trainer.step(rates);
      return trainer.readLoss();
    },
  };
}

test('500 steps train, and leave memory as it is', async () => {
  const watch = countMade();
  const { trainer, train } = await startTraining(pool);
  const firstLoss = await train(1);
  const { memorySize } = trainer;
  const before = watch.made();
  // The watch sees what a trainer makes.
  expect(before['Memory']).toBe(1);
  // Until the engine has optimised what it will.
  await train(settlingSteps);
  let size = tellsHeaps ? await heapSize() : 0;
  const growths: number[] = [];
  const isConstant = () => Math.min(...growths) < partSteps * leastKept;
  while (growths.length < 4 || (growths.length < mostParts && !isConstant())) {
    await train(partSteps);
    const earlier = size;
    size = tellsHeaps ? await heapSize() : 0;
    growths.push(size - earlier);
  }
  // What is kept of a step makes every part grow; what the browser does meanwhile does not.
  expect(isConstant(), `bytes more a part: ${growths.join(', ')}`).toBe(true);
  expect(await trainer.readLoss()).toBeLessThan(firstLoss / 10);
  expect(watch.made()).toEqual(before);
  expect(trainer.memorySize).toBe(memorySize);
  await trainer.disband();
  watch.stop();
});

/** Takes long enough to be cancelled in its midst. */
function slowPlan(batch: number): TrainingPlan {
  return trainingPlan('resnet20x2', batch, { height: 32, width: 32, channels: 1 });
}

test('a cancel in the midst of a step ends it, and leaves the threads to the next run', async () => {
  const cancel = new AbortController();
  const shape = { planOf: slowPlan, batches: [32], threads: 2 };
  const trainer = await CpuTrainer.create(
    pool,
    shape,
    initialParameters(slowPlan(32), 1),
    cancel.signal,
  );
  let isCancelled = false;
  let before = await trainer.readTrained();
  for (let attempt = 0; attempt < 5 && !isCancelled; attempt++) {
    before = await trainer.readTrained();
    const timer = setTimeout(() => cancel.abort(new Error('cancelled by the test')), 20);
    // On a busy machine a step may be over before the page's timer is looked at.
    const reason: unknown = await trainer.step(rates).then(
      () => undefined,
      (error: unknown) => error,
    );
    clearTimeout(timer);
    isCancelled = reason !== undefined;
    if (isCancelled) expect(reason).toBe(cancel.signal.reason);
  }
  expect(isCancelled).toBe(true);
  // It never came to its update, which is its last op.
  expect(firstDifference((await trainer.readTrained()).parameters, before.parameters)).toBe(-1);
  await trainer.disband();

  const lossOf = async (threads: number) => {
    const { images, labels } = randomBatch(4);
    const next = await CpuTrainer.create(
      pool,
      { planOf: planOf('resnet8'), batches: [4], threads },
      rounded(planOf('resnet8')(4)),
    );
    await next.setInput(images, labels);
    await next.step(rates);
    const loss = await next.readLoss();
    await next.disband();
    return loss;
  };
  expect(await lossOf(2)).toBe(await lossOf(1));
});
