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

/** Of one process while its batch grows. */
const batches: readonly number[] = [1, 2, 4, 8, 16, 32];
/** Images a step while threads grow in number. */
const fixedBatch = 32;
/** Images a step that replicas split: where one of the two ways to use cores wins may change. */
const splitBatches: readonly number[] = [32, 8];
/** Images of each replica where each gets as many. */
const batchPerReplica = 16;

/**
 * The points of one sweep on so many cores; none where it does not concern the CPU. Threads need
 * shared memory: without it every replica is one thread, and one process has no other.
 */
export function sweepPoints(
  parameter: SweepParameter,
  cores: number,
  sharedMemory: boolean,
  isFull: boolean,
): SweepPoint[] {
  const most = sharedMemory ? cores : 1;
  switch (parameter) {
    case 'batch':
      return (isFull ? [...batches, 64, 128] : batches).map((value) => ({
        parameter,
        value,
        batches: [value],
        threads: most,
      }));
    case 'threads':
      return counts(most).map((value) => ({
        parameter,
        value,
        batches: [fixedBatch],
        threads: value,
      }));
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
  const strong = splitBatches.flatMap((batch) =>
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
