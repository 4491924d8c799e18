import type { SweepParameter } from '../../core/run/config.ts';
import type { StepTiming } from '../../core/run/events.ts';

/** One point of a sweep: how a batch is dealt out. */
export interface SweepPoint {
  readonly parameter: SweepParameter;
  readonly value: number;
  /** Images of each replica. */
  readonly batches: readonly number[];
  /** Threads of each replica. */
  readonly threads: number;
  readonly scaling?: NonNullable<StepTiming['scaling']>;
}

/** How cores are used: replicas with a share of the batch, threads of each of them. */
export interface CoreUse {
  readonly replicas: number;
  readonly threads: number;
}

/** While the batch grows. */
const batches: readonly number[] = [1, 2, 4, 8, 16, 32];
/** Images a step by which ways to use the cores are told apart. */
export const fixedBatch = 32;
/** Images a step that threads share or replicas split: which is faster may change between them. */
const sharedBatches: readonly number[] = [fixedBatch, 8];
/** Images of each replica where each gets as many. */
const batchPerReplica = 16;

/** One process with all cores. Threads need shared memory: without it a process has one. */
export function usualUse(cores: number, sharedMemory: boolean): CoreUse {
  return { replicas: 1, threads: sharedMemory ? cores : 1 };
}

/**
 * The points of one sweep on so many cores; none where it does not concern the CPU. While the batch
 * grows the cores are used as `use` says.
 */
export function sweepPoints(
  parameter: SweepParameter,
  cores: number,
  sharedMemory: boolean,
  isFull: boolean,
  use: CoreUse = usualUse(cores, sharedMemory),
): SweepPoint[] {
  const most = usualUse(cores, sharedMemory).threads;
  switch (parameter) {
    case 'batch':
      return (isFull ? [...batches, 64, 128] : batches)
        .filter((value) => value >= use.replicas)
        .map((value) => ({
          parameter,
          value,
          batches: shares(value, use.replicas),
          threads: use.threads,
        }));
    case 'threads':
      return sharedBatches.flatMap((batch) =>
        counts(most).map((value) => ({ parameter, value, batches: [batch], threads: value })),
      );
    case 'replicas':
      return (isFull ? counts(most) : [1]).flatMap((threads) =>
        replicaPoints(Math.floor(cores / threads), threads),
      );
    case 'workgroups':
    case 'workgroupSize':
    case 'depth':
    case 'width':
      return [];
  }
}

function replicaPoints(mostReplicas: number, threads: number): SweepPoint[] {
  if (mostReplicas < 2) return [];
  const strong = sharedBatches.flatMap((batch) =>
    counts(Math.min(mostReplicas, batch)).map((value) => ({
      parameter: 'replicas' as const,
      value,
      batches: shares(batch, value),
      threads,
      scaling: 'strong' as const,
    })),
  );
  const weak = counts(mostReplicas).map((value) => ({
    parameter: 'replicas' as const,
    value,
    batches: Array.from({ length: value }, () => batchPerReplica),
    threads,
    scaling: 'weak' as const,
  }));
  return [...strong, ...weak];
}

/** Shares of a batch that differ by one image at the most, the larger ones first. */
export function shares(batch: number, replicas: number): number[] {
  const least = Math.floor(batch / replicas);
  return Array.from({ length: replicas }, (_, at) => least + (at < batch % replicas ? 1 : 0));
}

/** One, the powers of two, and all. */
function counts(most: number): number[] {
  const rising = [];
  for (let count = 1; count < most; count *= 2) rising.push(count);
  return [...rising, most];
}
