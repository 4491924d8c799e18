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
/** A set that is this much faster than the level's largest is served by a cache of equal bandwidth. */
const separation = 1.8;

/**
 * The latency of every working set that was chased, rising, each with the level of `bandwidth` that
 * serves it, where that is sure. All samples are of one device and thread count.
 */
export function latencies(
  samples: readonly SampleOf<'latency'>[],
  bandwidth: readonly Ceiling[],
): Latency[] {
  const all = groupBy(samples, ({ measured }) => measured.workingSetSize)
    .flatMap((group) => {
      const best = fastest(byVariant(group).map(pooledRates));
      const { workingSetSize } = group[0]!.measured;
      return best === undefined ? [] : [{ ...timeEstimate(best), workingSetSize }];
    })
    .toSorted((a, b) => a.workingSetSize - b.workingSetSize);
  const levels = all.map(({ workingSetSize }) => servingLevel(workingSetSize, bandwidth));
  return all.map((latency, index) => {
    const level = levels[index];
    const largest = all[levels.lastIndexOf(level)]!;
    const isServed = level !== undefined && latency.value * separation > largest.value;
    return isServed ? Object.assign({}, latency, { level }) : latency;
  });
}

/** The latency of each level: that of the largest working set which it serves. */
export function levelLatencies(all: readonly Latency[]): Latency[] {
  return groupBy(
    all.filter(({ level }) => level !== undefined),
    ({ level }) => level!,
  ).map((served) => served.at(-1)!);
}

/**
 * The level whose capacity holds the set while the one before does not; the last holds all. A level of
 * unknown capacity serves no set for sure.
 */
function servingLevel(workingSetSize: number, bandwidth: readonly Ceiling[]): string | undefined {
  let floor = 0;
  for (const ceiling of bandwidth) {
    // A chase is one invocation, and so in one workgroup.
    const known = ceiling.capacityBytes ?? ceiling.workgroupCapacityBytes;
    const capacity = ceiling === bandwidth.at(-1) ? Infinity : known;
    if (ceiling.level === undefined || capacity === undefined) continue;
    if (workingSetSize >= floor && workingSetSize <= inside * capacity) return ceiling.level;
    floor = outside * capacity;
  }
  return undefined;
}
