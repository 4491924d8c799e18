import { expect, onTestFinished, test } from 'vitest';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { defaultRecipe } from '../../../src/core/training/recipe.ts';
import { openDevice, type OpenGpu } from '../../../src/gpu/device.ts';
import { KernelSet } from '../../../src/gpu/kernels/kernelSet.ts';
import { GpuQueue } from '../../../src/gpu/queue.ts';
import { GpuTrainer } from '../../../src/gpu/train/gpuTrainer.ts';
import { trainOnGpu } from '../../../src/gpu/train/trainingJob.ts';
import { watchMemory } from '../../kernels/nn/memoryLedger.ts';

async function open(): Promise<OpenGpu> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  onTestFinished(() => opened.device.destroy());
  return opened;
}

test('200 steps leave the sum of live buffers as it is', async () => {
  const { device, watch } = await open();
  const liveSize = watchMemory({ device });
  const queue = new GpuQueue(device, watch, new AbortController().signal);
  const plan = trainingPlan('resnet8', 2, { height: 9, width: 11, channels: 3 });
  const images = Float32Array.from({ length: 2 * 9 * 11 * 3 }, (_, at) => Math.sin(at));
  const rates = { learningRate: 0.01, momentum: 0.9, weightDecay: 5e-4 };
  const kernels = new KernelSet(queue);
  const trainer = await GpuTrainer.create(queue, plan, initialParameters(plan, 1), kernels);
  const sizes = new Set<number>();
  for (let step = 0; step < 200; step += 1) {
    await trainer.step(images, [1, 2], rates);
    await trainer.readLosses();
    sizes.add(liveSize());
  }
  expect([...sizes]).toHaveLength(1);
  expect(liveSize()).toBeGreaterThanOrEqual(trainer.memorySize);
  trainer.destroy();
  kernels.destroy();
  expect(liveSize()).toBe(0);
});

test('a training that is stopped in the middle of a step leaves no buffer', async () => {
  const opened = await open();
  const liveSize = watchMemory(opened);
  const stop = new AbortController();
  let steps = 0;
  let least = Infinity;
  const training = trainOnGpu(
    opened,
    defaultRecipe,
    {},
    {
      gate: { pass: () => Promise.resolve() },
      ready: () => {
        least = liveSize();
      },
      tell: () => {
        steps += 1;
        // The next step is submitted by then, and takes longer.
        if (steps === 2) setTimeout(() => stop.abort(), 20);
      },
      signal: stop.signal,
    },
  );
  const ended: unknown = await training.catch((error: unknown) => error);
  expect(ended).toBe(stop.signal.reason);
  expect(steps).toBe(2);
  expect(least).toBeGreaterThan(2 ** 20);
  expect(liveSize()).toBe(0);
});
