import { largestBatch, memoryNeeds, memoryRefusal } from '../../core/nn/memoryNeeds.ts';
import { memoryPlan, type MemoryPlan } from '../../core/nn/memoryPlan.ts';
import type { TrainingPlan } from '../../core/nn/plan.ts';
import { isModelName } from '../../core/nn/zoo.ts';
import { GpuFault, gpuFault } from '../faults.ts';

/** The largest buffer that a kernel may bind as a whole; bytes. */
export function bindableSize({
  maxBufferSize,
  maxStorageBufferBindingSize,
}: Pick<GPUSupportedLimits, 'maxBufferSize' | 'maxStorageBufferBindingSize'>): number {
  return Math.min(maxBufferSize, maxStorageBufferBindingSize);
}

/**
 * Where a trainer's activations lie. Throws an `out-of-memory` fault that names the largest batch
 * that fits where the plan needs more than the device grants.
 */
export function trainerMemory(plan: TrainingPlan, bufferSize: number): MemoryPlan {
  const memory = memoryPlan(plan, { arenas: 'separate', largestArenaSize: bufferSize });
  const refusal = memoryRefusal(memoryNeeds(plan, memory), { bufferSize });
  if (refusal === undefined) return memory;
  const { model, batch, input } = plan;
  const most = isModelName(model) ? largestBatch(model, input, { bufferSize }) : undefined;
  const fits = most === undefined ? '' : fittingText(most);
  throw new GpuFault(
    gpuFault('out-of-memory', `a step of ${batch} images of ${model} ${refusal}${fits}`),
  );
}

function fittingText(mostImages: number): string {
  return mostImages === 0
    ? '; not even one image fits'
    : `; the largest batch that fits is ${mostImages}`;
}
