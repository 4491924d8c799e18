import { median } from '../stats/median.ts';
import { capacityAt, type Capacity } from './capacity.ts';
import { edge } from './edge.ts';
import { separatedByLatency, type LatencyPoint } from './latencyLevels.ts';
import { bandwidthRules, bestPlateaus, type Curve } from './plateaus.ts';

/** One working set of a bandwidth sweep: the best rate that any pattern reached there. */
export interface SweepPoint {
  /** bytes */
  readonly workingSetSize: number;
  readonly bytesPerSecond: number;
}

/** A plateau of the sweep, from its first to its last working set. */
export interface MemoryLevel {
  readonly smallest: number;
  readonly largest: number;
  /** Median over the plateau. */
  readonly bytesPerSecond: number;
  /** Working sets on the plateau. */
  readonly length: number;
  /** False where the sweep ended while bandwidth still fell, or too soon to tell. */
  readonly settled: boolean;
  /** Undefined for the last. */
  readonly capacity: Capacity | undefined;
}

/**
 * Finds the memory levels in a bandwidth sweep, innermost first: the plateaus of the curve. Points
 * left of the first that comes within the tolerance of the peak are limited by launches and are
 * left out. Levels that bandwidth does not separate but a pointer chase does (`latencyPoints`, over
 * the same kind of working sets) share a bandwidth. Points need positive values; their order does not
 * matter. No points, no levels.
 */
export function findLevels(
  points: readonly SweepPoint[],
  latencyPoints: readonly LatencyPoint[] = [],
): MemoryLevel[] {
  const sorted = points.toSorted((a, b) => a.workingSetSize - b.workingSetSize);
  const all: Curve = {
    sizes: sorted.map(({ workingSetSize }) => Math.log(workingSetSize)),
    rates: sorted.map(({ bytesPerSecond }) => Math.log(bytesPerSecond)),
  };
  const start = saturationStart(all.rates);
  const curve: Curve = { sizes: all.sizes.slice(start), rates: all.rates.slice(start) };
  const plateaus = bestPlateaus(curve, bandwidthRules);
  const levels = plateaus.map((plateau, index) => {
    const next = plateaus[index + 1];
    return {
      smallest: Math.exp(curve.sizes[plateau.first]!),
      largest: Math.exp(curve.sizes[plateau.last]!),
      bytesPerSecond: Math.exp(plateau.center),
      length: plateau.length,
      settled: plateau.settled,
      capacity: next && capacityAt(edge(curve, plateau, next, bandwidthRules)),
    };
  });
  return separatedByLatency(levels, sorted, latencyPoints);
}

/** First index within the tolerance of the peak; a running median keeps spikes from being it. */
function saturationStart(rates: readonly number[]): number {
  const smooth = rates.map((_, index) => median(rates.slice(Math.max(0, index - 2), index + 3)));
  const peak = Math.max(...smooth);
  return Math.max(
    0,
    rates.findIndex((rate) => rate >= peak - bandwidthRules.tolerance),
  );
}
