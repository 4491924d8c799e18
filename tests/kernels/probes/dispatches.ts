import type { Runs } from '../../../src/core/probes/chainCheck.ts';
import { submitPasses } from '../../../src/gpu/passes.ts';
import { fill } from '../../../src/gpu/probes/streamBuffers.ts';
import type { Verdict, Workload } from '../../../src/gpu/probes/workload.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';

/** A storage buffer of pattern words. */
export async function patternBuffer(queue: GpuQueue, size: number): Promise<GPUBuffer> {
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  const buffer = queue.device.createBuffer({ size, usage: STORAGE | COPY_SRC });
  await fill(queue, buffer, 0);
  return buffer;
}

/** Dispatches 2, 5 and 5 units and judges the results as those of `claimed`. */
export async function verdictOf(
  queue: GpuQueue,
  kernel: Workload,
  claimed: readonly Runs[] = [
    { amount: 2, runs: 1 },
    { amount: 5, runs: 2 },
  ],
): Promise<Verdict> {
  const passes = [2, 5, 5].map((amount) => kernel.record(amount));
  kernel.clear();
  await submitPasses(
    queue,
    passes.map((record) => ({ record, expectedSeconds: 0 })),
  );
  return kernel.check(claimed);
}

/** As many units in all, but not in these dispatches. */
export const others: readonly Runs[] = [{ amount: 7, runs: 1 }];
