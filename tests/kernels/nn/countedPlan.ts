import { expect } from 'vitest';
import { linearCongruential } from '../../../src/core/nn/random.ts';
import type { EvaluationPlan, TrainingPlan } from '../../../src/core/nn/plan.ts';
import { KernelSet } from '../../../src/gpu/kernels/kernelSet.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { PlanCalls, type PlannedCall } from '../../../src/gpu/train/planCalls.ts';
import { TrainerBuffers } from '../../../src/gpu/train/trainerBuffers.ts';
import { CountingBuild } from './countingBuild.ts';

/** Kernels that count, and their counter. */
export interface CountingKernels {
  readonly queue: GpuQueue;
  readonly kernels: KernelSet;
  readonly counting: CountingBuild;
}

export async function countingKernels(
  queue: GpuQueue,
  workgroupSize?: number,
): Promise<CountingKernels> {
  const counting = await CountingBuild.create(queue);
  return { queue, counting, kernels: new KernelSet(queue, workgroupSize, counting) };
}

/** Requires each call, run in order on three workgroups, to issue the bytes that it tells. */
export async function expectAsTold(
  { counting }: CountingKernels,
  calls: readonly Pick<PlannedCall, 'call' | 'variant'>[],
): Promise<void> {
  const counts = await counting.count(
    calls.map(({ call }) => call),
    3,
  );
  const all = calls.map(({ call, variant }, at) => ({
    call: `${call.label}, ${variant}`,
    told: call.issuedBytes,
    counted: counts[at],
  }));
  expect(all.filter(({ told, counted }) => told !== counted)).toEqual([]);
}

/** The same of all calls of a plan, on random images. */
export async function expectPlanAsTold(
  gpu: CountingKernels,
  plan: TrainingPlan | EvaluationPlan,
  parameters: ArrayLike<number>,
): Promise<void> {
  const buffers = await TrainerBuffers.create(gpu.queue, plan);
  const { calls } = await PlanCalls.create(plan.ops, gpu.kernels, buffers);
  const random = linearCongruential(1);
  const { batch, input } = plan;
  const length = batch * input.height * input.width * input.channels;
  const images = Float32Array.from({ length }, () => 2 * random() - 1);
  buffers.write(buffers.tensor(plan.inputTensor), images);
  const labels = Uint32Array.from({ length: batch }, (_, image) => image);
  buffers.write(buffers.tensor(plan.labelsTensor), labels);
  buffers.write(buffers.parameters, Float32Array.from(parameters));
  await expectAsTold(gpu, calls);
  buffers.destroy();
}
