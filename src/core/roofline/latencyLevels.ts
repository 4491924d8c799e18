import { median } from '../stats/median.ts';
import { capacityAt, type Capacity } from './capacity.ts';
import { edge } from './edge.ts';
import type { MemoryLevel, SweepPoint } from './levels.ts';
import { bestPlateaus, latencyRules, mostLevels, type Curve } from './plateaus.ts';

/** One working set of a pointer chase. */
export interface LatencyPoint {
  /** Bytes, over as many threads as those of the bandwidth sweep. */
  readonly workingSetSize: number;
  /** From a load to the next that needs its result. */
  readonly seconds: number;
}

/** Two edges this close are one: each is known to about the step of its sweep. */
const sameEdge = Math.log(2.5);
/**
 * How far inside the outermost bandwidth edge the chase may meet it: its random pages miss address
 * translation before prefetched streams do, and others use a shared cache too.
 */
const sameOutermost = Math.log(6);
/** A level has at least so many working sets of the bandwidth sweep. */
const leastPoints = 2;

/** Capacities, rising, at which the latency of a chase rises to 1.8 times or more. */
export function latencyEdges(points: readonly LatencyPoint[]): Capacity[] {
  const sorted = points.toSorted((a, b) => a.workingSetSize - b.workingSetSize);
  const curve: Curve = {
    sizes: sorted.map(({ workingSetSize }) => Math.log(workingSetSize)),
    rates: sorted.map(({ seconds }) => -Math.log(seconds)),
  };
  const plateaus = bestPlateaus(curve, latencyRules);
  return plateaus
    .slice(1)
    .map((plateau, index) => capacityAt(edge(curve, plateaus[index]!, plateau, latencyRules)));
}

/**
 * Bandwidth levels, innermost first, cut where a chase tells two levels apart that bandwidth does
 * not. Where both see an edge the inner capacities are the chase's, which prefetching does not blur;
 * the outermost is bandwidth's, since a chase past it may be slowed by address translation.
 */
export function separatedByLatency(
  levels: readonly MemoryLevel[],
  points: readonly SweepPoint[],
  latencyPoints: readonly LatencyPoint[],
): MemoryLevel[] {
  let separated = [...levels];
  const outermost = levels.at(-2)?.capacity;
  const edges = latencyEdges(latencyPoints);
  for (const capacity of edges.filter((each) => each !== edges.at(-1) || !meets(each, outermost))) {
    const known = separated.findIndex((level) => isSame(level.capacity, capacity));
    if (known >= 0) {
      const isOutermost = known === separated.length - 2;
      if (!isOutermost) separated = separated.with(known, { ...separated[known]!, capacity });
    } else if (separated.length < mostLevels)
      separated = separated.flatMap((level) => cut(level, capacity, points));
  }
  return separated;
}

function isSame(bandwidthEdge: Capacity | undefined, latencyEdge: Capacity): boolean {
  return bandwidthEdge !== undefined && Math.abs(distance(latencyEdge, bandwidthEdge)) < sameEdge;
}

/** Whether the chase's last edge is the outermost of bandwidth, only met too early. */
function meets(latencyEdge: Capacity, outermost: Capacity | undefined): boolean {
  if (outermost === undefined) return false;
  const outwards = distance(latencyEdge, outermost);
  return outwards >= 0 && outwards < sameOutermost;
}

/** How much further out one capacity is than the other, in natural logarithms. */
function distance(from: Capacity, to: Capacity): number {
  return Math.log(to.capacityBytes / from.capacityBytes);
}

/** A level as the two that share its bandwidth, if the capacity lies well within it. */
function cut(
  level: MemoryLevel,
  capacity: Capacity,
  points: readonly SweepPoint[],
): readonly MemoryLevel[] {
  const own = points.filter(
    ({ workingSetSize }) =>
      workingSetSize >= level.smallest * 0.999 && workingSetSize <= level.largest * 1.001,
  );
  const inside = own.filter(({ workingSetSize }) => workingSetSize <= capacity.capacityBytes);
  const outside = own.filter(({ workingSetSize }) => workingSetSize > capacity.capacityBytes);
  if (inside.length < leastPoints || outside.length < leastPoints) return [level];
  return [
    { ...level, ...extentOf(inside), settled: true, capacity },
    { ...level, ...extentOf(outside) },
  ];
}

function extentOf(points: readonly SweepPoint[]) {
  return {
    smallest: points[0]!.workingSetSize,
    largest: points.at(-1)!.workingSetSize,
    bytesPerSecond: median(points.map(({ bytesPerSecond }) => bytesPerSecond)),
    length: points.length,
  };
}
