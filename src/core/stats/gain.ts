import { medianInterval } from './interval.ts';

/** How many times as fast; above 1 is faster. */
export interface Gain {
  readonly ratio: number;
  /** From the slower end of one 95 % interval over the faster of the other, and the reverse. */
  readonly low: number;
  readonly high: number;
}

/**
 * Ratio of the median times before and after a change. The interval takes both medians at their
 * ends at once, so it is wider than 95 % needs. Throws a RangeError on no times.
 */
export function gainOf(before: readonly number[], after: readonly number[]): Gain {
  const [from, to] = [medianInterval(before), medianInterval(after)];
  return {
    ratio: from.median / to.median,
    low: from.low / to.high,
    high: from.high / to.low,
  };
}
