import { medianInterval, relativeHalfWidth } from '../stats/interval.ts';

/** What one visit of a point may cost. */
export interface VisitBudget {
  /** Warm steps go on for this long where their interval is not narrow sooner. */
  readonly seconds: number;
  /** A point whose fewest steps would take longer is skipped. */
  readonly mostSeconds: number;
  /** Warm steps at the least. */
  readonly fewestSteps: number;
}

/** What one point of a sweep may cost, over all its visits. */
export interface PointBudget extends Pick<VisitBudget, 'seconds' | 'mostSeconds'> {
  /** Visits at the most, far apart in time: what disturbs the machine for a while meets but one. */
  readonly visits: number;
}

/** Warm steps of a point at the least. */
export const fewestWarmSteps = 3;
/** Of a later visit. */
const fewestStepsAgain = 2;
/** Six values are the fewest whose range covers the median with 95 %. */
const fewestForInterval = 6;
const wantedHalfWidth = 0.03;

/** What a visit may cost: its part of the point's time, the steps of a first visit or of a later one. */
export function visitBudget(
  { seconds, mostSeconds, visits }: PointBudget,
  isRepeat = false,
): VisitBudget {
  const fewestSteps = isRepeat ? fewestStepsAgain : fewestWarmSteps;
  return { seconds: seconds / visits, mostSeconds, fewestSteps };
}

/** Whether the 95 % interval of the steps' median is within 3 %. */
export function isNarrow(seconds: readonly number[]): boolean {
  return (
    seconds.length >= fewestForInterval &&
    relativeHalfWidth(medianInterval(seconds)) <= wantedHalfWidth
  );
}

/** Whether a visit's warm steps suffice: their interval is narrow, or there are enough and its time is spent. */
export function isEnough(
  seconds: readonly number[],
  spentSeconds: number,
  budget: Pick<VisitBudget, 'seconds' | 'fewestSteps'>,
): boolean {
  if (seconds.length < budget.fewestSteps) return false;
  return spentSeconds >= budget.seconds || isNarrow(seconds);
}

/** Why a point is not tried, by what one step is expected to take; undefined where it is. */
export function tooLong(
  stepSeconds: number,
  { mostSeconds }: Pick<VisitBudget, 'mostSeconds'>,
): string | undefined {
  const seconds = fewestWarmSteps * stepSeconds;
  return seconds > mostSeconds ? `three warm steps would take ${seconds.toFixed(1)} s` : undefined;
}
