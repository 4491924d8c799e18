import { groupBy } from '../groupBy.ts';
import { linearFit } from '../stats/fit.ts';
import { median } from '../stats/median.ts';

/** Natural logarithms of working sets (rising) and of bandwidth. */
export interface Curve {
  readonly sizes: readonly number[];
  readonly rates: readonly number[];
}

export interface Plateau {
  /** Logarithm of bandwidth: the median of the points on the plateau. */
  readonly center: number;
  /** First, last and number of the points on the plateau. */
  readonly first: number;
  readonly last: number;
  readonly length: number;
  /** How fast log bandwidth falls with log working set along the plateau; negative rises. */
  readonly fall: number;
  /** False where the sweep ended while bandwidth still fell. */
  readonly settled: boolean;
  readonly cost: number;
}

/** What tells one plateau from the next, in natural logarithms of what the curve shows. */
export interface PlateauRules {
  /** Levels are told apart from here on. */
  readonly separation: number;
  /** A point belongs to a plateau within half the separation, so that no point fits two levels. */
  readonly tolerance: number;
  /** An inner level that falls this much an octave, and past the tolerance in all, is a slope. */
  readonly steepFall: number;
}

function rulesFor(factor: number, fallPerOctave: number): PlateauRules {
  const separation = Math.log(factor);
  return { separation, tolerance: separation / 2, steepFall: fallPerOctave / Math.LN2 };
}

export const bandwidthRules = rulesFor(1.25, 0.08);
/** Latencies lie further apart, and those of one level rise as its loads reach further. */
export const latencyRules = rulesFor(1.8, 0.21);

export const mostLevels = 4;
/**
 * An inner level has at least three points over an octave of working sets; the last, which the
 * sweep may cut off, two, so that one slow measurement at the end is none.
 */
const leastSpan = 0.98 * Math.LN2;
const leastPoints = 3;
/** A segmentation's last plateau and all before it, with the cost of the whole. */
interface Path {
  readonly plateaus: readonly Plateau[];
  readonly cost: number;
}

/**
 * The least-cost cut of a falling curve into at most four constant plateaus, each at least the
 * separation below the one before: dynamic programming over all segments (Jackson et al. 2005, An
 * algorithm for optimal partitioning of data on an interval). The loss is squared and capped
 * (Fearnhead and Rigaill 2019, Changepoint detection in the presence of outliers), so that spikes
 * and the points of a gradual transition cost the same wherever they lie and form no plateau of
 * their own. Any curve of a point or more has a plateau. What a point on no plateau costs (a spike, a
 * transition, the launch-limited rise) is the tolerance squared.
 */
export function bestPlateaus(curve: Curve, rules: PlateauRules): readonly Plateau[] {
  const end = curve.rates.length;
  if (end === 0) return [];
  const fitPlateau = plateauFitter(curve, rules);
  // paths[stop]: the best ways to cut [0, stop), one for each last plateau and number of levels.
  const paths: Path[][] = [[{ plateaus: [], cost: 0 }]];
  for (let stop = 1; stop <= end; stop++) {
    const reaching: Path[] = [];
    for (let start = 0; start < stop; start++) {
      const plateau = fitPlateau(start, stop);
      if (!isLevel(curve, plateau, stop === end, rules)) continue;
      const before = paths[start]!.filter(({ plateaus }) => continues(plateaus, plateau, rules));
      for (const path of leastByCount(before)) {
        reaching.push({
          plateaus: [...path.plateaus, plateau],
          cost: path.cost + plateau.cost,
        });
      }
    }
    paths.push(reaching);
  }
  const reaching = paths[end]!;
  const whole = reaching.filter(({ plateaus }) => !leavesOutEnd(curve, plateaus, rules));
  const plateaus = (leastCost(whole) ?? leastCost(reaching))?.plateaus ?? [fitPlateau(0, end)];
  const falling = unsettledEnd(curve, plateaus, rules);
  if (falling !== undefined) return [...plateaus, falling];
  return [...plateaus.slice(0, -1), judgedEnd(curve, plateaus, rules)];
}

function continues(
  before: readonly Plateau[],
  next: Plateau,
  { separation }: PlateauRules,
): boolean {
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
function plateauFitter(
  { sizes, rates }: Curve,
  { tolerance }: PlateauRules,
): (start: number, stop: number) => Plateau {
  // sums[k][stop]: cost of the points [0, stop) against the constant rates[k].
  const sums = rates.map((center) => {
    let sum = 0;
    return [0, ...rates.map((rate) => (sum += Math.min((rate - center) ** 2, tolerance ** 2)))];
  });
  const slopeOf = (on: readonly number[]) =>
    linearFit(
      on.map((index) => sizes[index]!),
      on.map((index) => rates[index]!),
    ).slope;
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
      fall: on.length < leastPoints ? 0 : -slopeOf(on),
      settled: true,
      cost,
    };
  };
}

function isLevel(
  { sizes }: Curve,
  plateau: Plateau,
  isLast: boolean,
  { steepFall, tolerance }: PlateauRules,
): boolean {
  if (isLast) return plateau.length >= 2;
  const span = sizes[plateau.last]! - sizes[plateau.first]!;
  const isSlope = plateau.fall >= steepFall && plateau.fall * span >= tolerance;
  return plateau.length >= leastPoints && span >= leastSpan && !isSlope;
}

/**
 * The last plateau, settled if it is as long as an inner one has to be and holds to the sweep's end:
 * past a knee two working sets may be a transition yet, and a last one far below may be a level that
 * the sweep has only just reached.
 */
function judgedEnd(
  { sizes, rates }: Curve,
  plateaus: readonly Plateau[],
  { separation }: PlateauRules,
): Plateau {
  const end = plateaus.at(-1)!;
  const span = sizes[end.last]! - sizes[end.first]!;
  const isLong = plateaus.length === 1 || (end.length >= leastPoints && span >= leastSpan);
  return { ...end, settled: isLong && end.center - rates.at(-1)! < separation };
}

/**
 * A sweep that ends while bandwidth still falls has no plateau there, yet the one before is not the
 * last level: its last two points stand for it.
 */
function unsettledEnd(
  { sizes, rates }: Curve,
  plateaus: readonly Plateau[],
  rules: PlateauRules,
): Plateau | undefined {
  if (!endsBelow({ sizes, rates }, plateaus, rules) || plateaus.length === mostLevels)
    return undefined;
  const last = rates.length - 1;
  const first = last - 1;
  const tail = rates.slice(first);
  const fall = (rates[first]! - rates[last]!) / (sizes[last]! - sizes[first]!);
  return { center: median(tail), first, last, length: 2, fall, settled: false, cost: 0 };
}

/** Whether the last two points lie below the last plateau, on another level. */
function endsBelow(
  { rates }: Curve,
  plateaus: readonly Plateau[],
  { separation }: PlateauRules,
): boolean {
  const { center, last } = plateaus.at(-1)!;
  const tail = rates.slice(-2);
  return last < rates.length - 2 && tail.every((rate) => center - rate >= separation);
}

/**
 * As many plateaus as there may be, and the end of the sweep on none: an inner level would pass for
 * memory.
 */
function leavesOutEnd(curve: Curve, plateaus: readonly Plateau[], rules: PlateauRules): boolean {
  return plateaus.length === mostLevels && endsBelow(curve, plateaus, rules);
}
