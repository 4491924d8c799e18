import type { Edge } from './edge.ts';

/** Where a memory level ends, in bytes. */
export interface Capacity {
  /** Geometric middle of the transition to the next level. */
  readonly capacityBytes: number;
  /** The last working set at the level's speed and the first near the next level's: it lies between. */
  readonly capacityLowBytes: number;
  readonly capacityHighBytes: number;
}

export function capacityAt({ middle, low, high }: Edge): Capacity {
  return {
    capacityBytes: Math.exp(middle),
    capacityLowBytes: Math.exp(low),
    capacityHighBytes: Math.exp(high),
  };
}
