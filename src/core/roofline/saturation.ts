import type { Optimum, Saturation } from './types.ts';

/** A point's parameter and its rate (flop/s) with the 95 % interval. */
interface RatedPoint {
  readonly value: number;
  readonly flopsPerSecond: number;
  readonly low: number;
  readonly high: number;
}

/** Within 5 % of the best, growing the parameter has stopped to pay. */
const nearBest = 0.95;

/**
 * The smallest parameter whose rate is within 5 % of the best, and the range in which it may lie
 * by the intervals: the earliest value that could be that near, and the earliest that surely is.
 * Undefined where only the last point is near the best: the sweep ended before it saturated.
 */
export function saturation(points: readonly RatedPoint[]): Saturation | undefined {
  const sorted = points.toSorted((a, b) => a.value - b.value);
  const best = fastestOf(sorted);
  if (best === undefined) return undefined;
  const value = firstValue(
    sorted,
    (point) => point.flopsPerSecond >= nearBest * best.flopsPerSecond,
  );
  const earliest = firstValue(sorted, ({ high }) => high >= nearBest * best.low);
  const latest = firstValue(sorted, ({ low }) => low >= nearBest * best.high) ?? best.value;
  if (value === undefined || earliest === undefined || value === sorted.at(-1)!.value) {
    return undefined;
  }
  return { value, earliest, latest };
}

/** The fastest parameter, and those that the intervals cannot tell from it. */
export function optimum(points: readonly RatedPoint[]): Optimum | undefined {
  const best = fastestOf(points);
  if (best === undefined) return undefined;
  const tied = points.filter((point) => point !== best && point.high >= best.low);
  return { value: best.value, tied: tied.map(({ value }) => value).toSorted((a, b) => a - b) };
}

function fastestOf(points: readonly RatedPoint[]): RatedPoint | undefined {
  return points.toSorted((a, b) => b.flopsPerSecond - a.flopsPerSecond)[0];
}

function firstValue(
  sorted: readonly RatedPoint[],
  holds: (point: RatedPoint) => boolean,
): number | undefined {
  return sorted.find(holds)?.value;
}
