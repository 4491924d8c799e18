import { medianInterval, relativeHalfWidth } from '../stats/interval.ts';

/** What one point of a sweep may cost. */
export interface PointBudget {
  /** Warm steps go on for this long where their interval is not narrow sooner. */
  readonly seconds: number;
  /** A point whose fewest steps would take longer is skipped. */
  readonly mostSeconds: number;
}

/** Warm steps of a point at the least. */
export const fewestWarmSteps = 3;
/** Six values are the fewest whose range covers the median with 95 %. */
const fewestForInterval = 6;
const wantedHalfWidth = 0.03;

/**
 * Whether a point's warm steps suffice: the 95 % interval of their median is within 3 %, or there
 * are three and the budget is spent.
 */
export function isEnough(
  seconds: readonly number[],
  spentSeconds: number,
  budget: PointBudget,
): boolean {
  if (seconds.length < fewestWarmSteps) return false;
  if (spentSeconds >= budget.seconds) return true;
  return (
    seconds.length >= fewestForInterval &&
    relativeHalfWidth(medianInterval(seconds)) <= wantedHalfWidth
  );
}

/** Why a point is not tried, by what one step is expected to take; undefined where it is. */
export function tooLong(stepSeconds: number, { mostSeconds }: PointBudget): string | undefined {
  const seconds = fewestWarmSteps * stepSeconds;
  return seconds > mostSeconds ? `three warm steps would take ${seconds.toFixed(1)} s` : undefined;
}
