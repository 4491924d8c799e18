import { groupBy } from '../groupBy.ts';
import { timeEstimate, type Estimate } from './estimate.ts';
import { byVariant, fastest, pooledRates, type SampleOf } from './rates.ts';
import type { Ceiling } from './types.ts';

/** Seconds from a load to the next that needs its result, at one working set. */
export interface Latency extends Estimate<'s'> {
  readonly workingSetSize: number;
  /** The memory level that serves it; absent near a capacity, where two levels share the loads. */
  readonly level?: string;
}

/** A working set within this share of a capacity fits it; one past its inverse is served from outside. */
const inside = 0.7;
const outside = 2;

/**
 * The latency of every working set that was chased, rising, each with the level of `bandwidth` that
 * serves it. All samples are of one device and thread count.
 */
export function latencies(
  samples: readonly SampleOf<'latency'>[],
  bandwidth: readonly Ceiling[],
): Latency[] {
  return groupBy(samples, ({ measured }) => measured.workingSetSize)
    .flatMap((group) => {
      const best = fastest(byVariant(group).map(pooledRates));
      if (best === undefined) return [];
      const { workingSetSize } = group[0]!.measured;
      const level = servingLevel(workingSetSize, bandwidth);
      return [{ ...timeEstimate(best), workingSetSize, ...(level !== undefined && { level }) }];
    })
    .toSorted((a, b) => a.workingSetSize - b.workingSetSize);
}

/** The latency of each level: that of the largest working set which it serves. */
export function levelLatencies(all: readonly Latency[]): Latency[] {
  return groupBy(
    all.filter(({ level }) => level !== undefined),
    ({ level }) => level!,
  ).map((served) => served.at(-1)!);
}

/** The level whose capacity holds the set while the one before does not; the last holds all. */
function servingLevel(workingSetSize: number, bandwidth: readonly Ceiling[]): string | undefined {
  const levels = bandwidth.filter(({ level }) => level !== undefined);
  let floor = 0;
  for (const { level, capacityBytes, workgroupCapacityBytes } of levels) {
    // A chase is one invocation, and so in one workgroup.
    const capacity = capacityBytes ?? workgroupCapacityBytes ?? Infinity;
    if (workingSetSize >= floor && workingSetSize <= inside * capacity) return level;
    floor = outside * capacity;
  }
  return undefined;
}
