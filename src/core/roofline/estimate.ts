import { intervalFlags, type VariantRates } from './rates.ts';
import type { TimerSource } from './sample.ts';

/** A measured quantity with its 95 % confidence interval and what it rests on. */
export interface Estimate<Unit extends string> {
  readonly value: number;
  readonly unit: Unit;
  readonly ciLow: number;
  readonly ciHigh: number;
  /** The winning variant. */
  readonly variant: string;
  readonly timer: TimerSource;
  /** Raw times that the interval rests on. */
  readonly samples: number;
  readonly flags: readonly string[];
}

/** A variant's rate as it is shown. */
export function rateEstimate<Unit extends string>(
  { interval, variant, timer, samples, flags }: VariantRates,
  unit: Unit,
): Estimate<Unit> {
  return {
    value: interval.median,
    unit,
    ciLow: interval.low,
    ciHigh: interval.high,
    variant,
    timer,
    samples,
    flags: [...flags, ...intervalFlags(interval)],
  };
}

/** Seconds a piece of work: the inverse of a variant's rate, the interval's ends exchanged. */
export function timeEstimate(rates: VariantRates): Estimate<'s'> {
  const { value, ciLow, ciHigh, ...rest } = rateEstimate(rates, 's');
  return { ...rest, value: 1 / value, ciLow: 1 / ciHigh, ciHigh: 1 / ciLow };
}
