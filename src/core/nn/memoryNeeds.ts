import { formatSize } from '../units.ts';
import { memoryPlan, total, type MemoryOptions, type MemoryPlan } from './memoryPlan.ts';
import type { ImageShape, TrainingPlan } from './plan.ts';
import { trainingPlan } from './trainingPlan.ts';
import type { ModelName } from './zoo.ts';

/** What a device grants; bytes. */
export interface MemoryLimits {
  /** Of one buffer. */
  readonly bufferSize: number;
  /** Of all buffers together; absent where the device does not tell. */
  readonly totalSize?: number;
}

/** What the training of a plan takes; bytes. */
export interface MemoryNeeds {
  readonly totalSize: number;
  readonly largestBufferSize: number;
}

const elementSize = 4;
/** More images a step than any sweep asks for. */
const mostBatch = 2 ** 16;

/**
 * Bytes of a plan's buffers: parameters, gradients, velocities, running statistics, images, labels
 * and arenas; an executor's scratch comes on top.
 */
export function memoryNeeds(plan: TrainingPlan, { arenaSizes }: MemoryPlan): MemoryNeeds {
  const lengthOf = (id: number): number => plan.tensors[id]?.length ?? 0;
  const lengths = [
    plan.parameterLength,
    plan.parameterLength,
    plan.parameterLength,
    plan.runningLength,
    lengthOf(plan.inputTensor),
    lengthOf(plan.labelsTensor),
  ];
  const sizes = [...lengths.map((length) => elementSize * length), ...arenaSizes];
  return { totalSize: total(sizes), largestBufferSize: Math.max(...sizes) };
}

/** Why a plan does not fit the limits, in words; undefined where it does. */
export function memoryRefusal(needs: MemoryNeeds, limits: MemoryLimits): string | undefined {
  const { bufferSize, totalSize = Infinity } = limits;
  if (needs.largestBufferSize > bufferSize)
    return `needs a buffer of ${formatSize(needs.largestBufferSize)}, and the device grants ${formatSize(bufferSize)}`;
  if (needs.totalSize > totalSize)
    return `needs ${formatSize(needs.totalSize)} of memory, and there are ${formatSize(totalSize)}`;
  return undefined;
}

/**
 * The most images a step with which the training of a model fits the limits; 0 where one image is
 * too many already. At most 65,536.
 */
export function largestBatch(
  model: ModelName,
  input: ImageShape,
  limits: MemoryLimits,
  arenas: MemoryOptions['arenas'] = 'separate',
): number {
  const fits = (batch: number): boolean => {
    const plan = trainingPlan(model, batch, input);
    const memory = memoryPlan(plan, { arenas, largestArenaSize: limits.bufferSize });
    return memoryRefusal(memoryNeeds(plan, memory), limits) === undefined;
  };
  let fitting = 0;
  let tooLarge = 1;
  while (tooLarge <= mostBatch && fits(tooLarge)) {
    fitting = tooLarge;
    tooLarge *= 2;
  }
  while (tooLarge - fitting > 1 && fitting < mostBatch) {
    const middle = Math.floor((fitting + tooLarge) / 2);
    if (fits(middle)) fitting = middle;
    else tooLarge = middle;
  }
  return fitting;
}
