import { median } from '../stats/median.ts';
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

/** Capacities in bytes, rising, at which the latency of a chase rises to 1.8 times or more. */
export function latencyEdges(points: readonly LatencyPoint[]): number[] {
  const sorted = points.toSorted((a, b) => a.workingSetSize - b.workingSetSize);
  const curve: Curve = {
    sizes: sorted.map(({ workingSetSize }) => Math.log(workingSetSize)),
    rates: sorted.map(({ seconds }) => -Math.log(seconds)),
  };
  const plateaus = bestPlateaus(curve, latencyRules);
  return plateaus
    .slice(1)
    .map((plateau, index) => Math.exp(edge(curve, plateaus[index]!, plateau)));
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
  const outermost = levels.at(-2)?.capacityBytes;
  const edges = latencyEdges(latencyPoints);
  for (const capacity of edges.filter((each) => each !== edges.at(-1) || !meets(each, outermost))) {
    const known = separated.findIndex(({ capacityBytes }) => isSame(capacityBytes, capacity));
    if (known >= 0) {
      const isOutermost = known === separated.length - 2;
      if (!isOutermost)
        separated = separated.with(known, { ...separated[known]!, capacityBytes: capacity });
    } else if (separated.length < mostLevels)
      separated = separated.flatMap((level) => cut(level, capacity, points));
  }
  return separated;
}

function isSame(bandwidthEdge: number | undefined, latencyEdge: number): boolean {
  return bandwidthEdge !== undefined && Math.abs(Math.log(bandwidthEdge / latencyEdge)) < sameEdge;
}

/** Whether the chase's last edge is the outermost of bandwidth, only met too early. */
function meets(latencyEdge: number, outermost: number | undefined): boolean {
  if (outermost === undefined) return false;
  const distance = Math.log(outermost / latencyEdge);
  return distance >= 0 && distance < sameOutermost;
}

/** A level as the two that share its bandwidth, if the capacity lies well within it. */
function cut(
  level: MemoryLevel,
  capacity: number,
  points: readonly SweepPoint[],
): readonly MemoryLevel[] {
  const own = points.filter(
    ({ workingSetSize }) =>
      workingSetSize >= level.smallest * 0.999 && workingSetSize <= level.largest * 1.001,
  );
  const inside = own.filter(({ workingSetSize }) => workingSetSize <= capacity);
  const outside = own.filter(({ workingSetSize }) => workingSetSize > capacity);
  if (inside.length < leastPoints || outside.length < leastPoints) return [level];
  return [
    { ...level, ...extentOf(inside), settled: true, capacityBytes: capacity },
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
