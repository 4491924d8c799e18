import { median } from '../stats/median.ts';
import { bestPlateaus, tolerance, type Curve, type Plateau } from './plateaus.ts';

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
  /** False where the sweep ended while bandwidth still fell. */
  readonly settled: boolean;
  /** Geometric middle of the transition to the next level; undefined for the last. */
  readonly capacityBytes: number | undefined;
}

/**
 * Finds the memory levels in a bandwidth sweep, innermost first: the plateaus of the curve. Points
 * left of the first that comes within the tolerance of the peak are limited by launches and are
 * left out. Points need positive rates; their order does not matter. No points, no levels.
 */
export function findLevels(points: readonly SweepPoint[]): MemoryLevel[] {
  const sorted = points.toSorted((a, b) => a.workingSetSize - b.workingSetSize);
  const all: Curve = {
    sizes: sorted.map(({ workingSetSize }) => Math.log(workingSetSize)),
    rates: sorted.map(({ bytesPerSecond }) => Math.log(bytesPerSecond)),
  };
  const start = saturationStart(all.rates);
  const curve: Curve = { sizes: all.sizes.slice(start), rates: all.rates.slice(start) };
  const plateaus = bestPlateaus(curve);
  return plateaus.map((plateau, index) => {
    const next = plateaus[index + 1];
    return {
      smallest: Math.exp(curve.sizes[plateau.first]!),
      largest: Math.exp(curve.sizes[plateau.last]!),
      bytesPerSecond: Math.exp(plateau.center),
      length: plateau.length,
      settled: plateau.settled,
      capacityBytes: next && Math.exp(edge(curve, plateau, next)),
    };
  });
}

/** First index within the tolerance of the peak; a running median keeps spikes from being it. */
function saturationStart(rates: readonly number[]): number {
  const smooth = rates.map((_, index) => median(rates.slice(Math.max(0, index - 2), index + 3)));
  const peak = Math.max(...smooth);
  return Math.max(
    0,
    rates.findIndex((rate) => rate >= peak - tolerance),
  );
}

/**
 * Log working set of the geometric middle of a transition. Each point between the plateaus counts
 * as inside the upper level by how far its log bandwidth lies above the middle of the two (all from
 * three quarters of the way up, none below one quarter); the inside lengths are summed, so that one
 * spike moves the edge by at most one step of the sweep.
 */
function edge({ sizes, rates }: Curve, upper: Plateau, lower: Plateau): number {
  const inside = (index: number) => {
    const height = (rates[index]! - lower.center) / (upper.center - lower.center);
    return Math.min(1, Math.max(0, 2 * height - 0.5));
  };
  // A spike may have been taken for a plateau's end: start and stop two points further out.
  const start = Math.max(upper.first, upper.last - 2);
  const stop = Math.min(lower.last, lower.first + 2);
  let position = sizes[start]!;
  for (let index = start; index < stop; index++) {
    const step = sizes[index + 1]! - sizes[index]!;
    position += (step * (inside(index) + inside(index + 1))) / 2;
  }
  return position;
}
