import { groupBy } from '../groupBy.ts';
import { median } from '../stats/median.ts';

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
  /** Geometric middle of the transition to the next level; undefined for the last. */
  readonly capacityBytes: number | undefined;
}

/** Levels are told apart by bandwidth from here on. */
const separation = Math.log(1.25);
/** A point belongs to a plateau within half the separation, so that no point fits two levels. */
const tolerance = separation / 2;
/** What a point on no plateau costs: a spike, a transition, the launch-limited rise. */
const outlierCost = tolerance ** 2;
const mostLevels = 4;
/**
 * An inner level has at least three points over an octave of working sets; the last, which the
 * sweep may cut off, two, so that one slow measurement at the end is none.
 */
const leastSpan = 0.98 * Math.LN2;
const leastPoints = 3;

/**
 * Finds the memory levels in a bandwidth sweep, innermost first.
 *
 * A least-cost segmentation of log bandwidth over log working set into at most four constant
 * plateaus, each at least 1.25 times slower than the one before (dynamic programming over all
 * segments, as in Jackson et al. 2005, An algorithm for optimal partitioning of data on an
 * interval). The loss is squared and capped (Fearnhead and Rigaill 2019, Changepoint detection in
 * the presence of outliers), so that spikes and the points of a gradual transition cost the same
 * wherever they lie and form no level of their own. Points left of the first that comes within the
 * tolerance of the peak are limited by launches and are left out.
 *
 * Points need positive rates; their order does not matter. No points, no levels.
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
      capacityBytes: next && Math.exp(edge(curve, plateau, next)),
    };
  });
}

/** Natural logarithms of working sets (rising) and of bandwidth. */
interface Curve {
  readonly sizes: readonly number[];
  readonly rates: readonly number[];
}

interface Plateau {
  /** Logarithm of bandwidth: the median of the points on the plateau. */
  readonly center: number;
  /** First, last and number of the points on the plateau. */
  readonly first: number;
  readonly last: number;
  readonly length: number;
  readonly cost: number;
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

/** A segmentation's last plateau and all before it, with the cost of the whole. */
interface Path {
  readonly plateaus: readonly Plateau[];
  readonly cost: number;
}

function bestPlateaus(curve: Curve): readonly Plateau[] {
  const end = curve.rates.length;
  if (end === 0) return [];
  const fitPlateau = plateauFitter(curve);
  // paths[stop]: the best ways to cut [0, stop), one for each last plateau and number of levels.
  const paths: Path[][] = [[{ plateaus: [], cost: 0 }]];
  for (let stop = 1; stop <= end; stop++) {
    const reaching: Path[] = [];
    for (let start = 0; start < stop; start++) {
      const plateau = fitPlateau(start, stop);
      if (!isLevel(curve, plateau, stop === end)) continue;
      const before = paths[start]!.filter(({ plateaus }) => continues(plateaus, plateau));
      for (const path of leastByCount(before)) {
        reaching.push({
          plateaus: [...path.plateaus, plateau],
          cost: path.cost + plateau.cost,
        });
      }
    }
    paths.push(reaching);
  }
  const best = leastCost(paths[end]!);
  return best ? best.plateaus : [fitPlateau(0, end)];
}

function continues(before: readonly Plateau[], next: Plateau): boolean {
  const last = before.at(-1);
  if (before.length === mostLevels) return false;
  return last === undefined || last.center - next.center >= separation;
}

/** The cheapest path for each number of levels. */
function leastByCount(paths: readonly Path[]): Path[] {
  return groupBy(paths, ({ plateaus }) => plateaus.length).flatMap(
    (group) => leastCost(group) ?? [],
  );
}

function leastCost(paths: readonly Path[]): Path | undefined {
  return paths.reduce<Path | undefined>(
    (best, path) => (best && best.cost <= path.cost ? best : path),
    undefined,
  );
}

/** Constants that fit the points [start, stop) at least capped cost, for every start and stop. */
function plateauFitter({ rates }: Curve): (start: number, stop: number) => Plateau {
  // sums[k][stop]: cost of the points [0, stop) against the constant rates[k].
  const sums = rates.map((center) => {
    let sum = 0;
    return [0, ...rates.map((rate) => (sum += Math.min((rate - center) ** 2, outlierCost)))];
  });
  return (start, stop) => {
    let best = start;
    let cost = Infinity;
    for (let candidate = start; candidate < stop; candidate++) {
      const candidateCost = sums[candidate]![stop]! - sums[candidate]![start]!;
      if (candidateCost < cost) [best, cost] = [candidate, candidateCost];
    }
    const on: number[] = [];
    for (let index = start; index < stop; index++) {
      if (Math.abs(rates[index]! - rates[best]!) <= tolerance) on.push(index);
    }
    return {
      center: median(on.map((index) => rates[index]!)),
      first: on[0]!,
      last: on.at(-1)!,
      length: on.length,
      cost,
    };
  };
}

function isLevel({ sizes }: Curve, plateau: Plateau, isLast: boolean): boolean {
  if (isLast) return plateau.length >= 2;
  return plateau.length >= leastPoints && sizes[plateau.last]! - sizes[plateau.first]! >= leastSpan;
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
