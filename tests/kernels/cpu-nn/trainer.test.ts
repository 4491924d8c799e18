import { afterAll, describe, expect, test } from 'vitest';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import type { TrainingPlan } from '../../../src/core/nn/plan.ts';
import { ReferenceTrainer } from '../../../src/core/nn/referenceTrainer.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { CpuTrainer } from '../../../src/cpu/train/cpuTrainer.ts';
import { openPool } from '../../golden/cpu-threads.ts';
import { rates } from './cpuHarness.ts';
import { expectAlike, expectStepAlike, planOf, randomBatch, rounded } from './trainerHarness.ts';

const pool = await openPool(2, 'relaxed-simd', true);
const ownMemories = await openPool(2, 'relaxed-simd', false);
afterAll(() => {
  pool.terminate();
  ownMemories.terminate();
});

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

test('500 steps train, in memory that stays as large', async () => {
  const { images, labels } = randomBatch(4);
  const parameters = rounded(planOf('resnet8')(4));
  const shape = { planOf: planOf('resnet8'), batches: [4], threads: 2 };
  const trainer = await CpuTrainer.create(pool, shape, parameters);
  await trainer.setInput(images, labels);
  await trainer.step(rates);
  const firstLoss = await trainer.readLoss();
  const { memorySize } = trainer;
  for (let step = 1; step < 500; step++) await trainer.step(rates);
  expect(await trainer.readLoss()).toBeLessThan(firstLoss / 10);
  expect(trainer.memorySize).toBe(memorySize);
  await trainer.disband();
});

/** Takes long enough to be cancelled in its midst. */
function slowPlan(batch: number): TrainingPlan {
  return trainingPlan('resnet18', batch, { height: 32, width: 32, channels: 1 });
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
  // The first step compiles.
  await trainer.step(rates);
  const { seconds: whole } = await trainer.step(rates);
  const begin = performance.now();
  const step = trainer.step(rates);
  setTimeout(() => cancel.abort(new Error('cancelled by the test')), 5);
  await expect(step).rejects.toThrow('cancelled by the test');
  expect(performance.now() - begin).toBeLessThan((1000 * whole) / 2);
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
