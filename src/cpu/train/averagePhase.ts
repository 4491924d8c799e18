import type { TrainingFunctions } from './functions.ts';
import { elementSize, ranges, type Phase } from './opCall.ts';
import { replicaBase, sharesAddress } from './trainingMemory.ts';

/** How the batch is dealt out to replicas. */
export interface ReplicaShares {
  /** Of the batch; they sum to 1. */
  readonly shares: readonly number[];
  /** Bytes of memory of each replica. */
  readonly regionSize: number;
}

const tileLength = 2048;

/**
 * The all-reduce over shared memory: every tile is a range of the gradients, whose sum over the
 * replicas, weighted by their shares and in their order, replaces each replica's own.
 */
export function averagePhase(
  functions: TrainingFunctions,
  { shares, regionSize }: ReplicaShares,
  gradients: number,
  length: number,
): Phase {
  const replicas = shares.length;
  const tiles = ranges(length, tileLength);
  const start = replicaBase(replicas, regionSize, 0) + gradients;
  return {
    tiles: tiles.tiles,
    run(tile) {
      const part = tiles.at(tile);
      functions.averageReplicas(
        start + part.first * elementSize,
        replicas,
        regionSize,
        sharesAddress(replicas),
        part.length,
      );
    },
  };
}
