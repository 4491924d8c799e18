import { medianInterval, type MedianInterval } from '../stats/interval.ts';
import { median } from '../stats/median.ts';
import { flags } from './flags.ts';

const noisyHalfWidth = 0.03;
/** Two speeds lie at least this far apart, and each has at least this share of the values. */
const speedGap = 1.15;
const leastShare = 0.2;

/** Whether an interval reaches further than 3 % from its median, as a ratio: so it is for the inverse too. */
export function isNoisy({ median: middle, low, high }: Omit<MedianInterval, 'coverage'>): boolean {
  return Math.max(high / middle, middle / low) > 1 + noisyHalfWidth;
}

/**
 * Why the interval of these rates, in the order in which they were measured, is wide, as a flag; none where
 * it is not. Two speeds: nothing lies between them, as where another program has one of two cores for
 * a while. Drifting: the halves' medians differ by more than 3 %, as where a clock falls.
 */
export function noiseFlags(rates: readonly number[]): string[] {
  if (!isNoisy(medianInterval(rates))) return [];
  if (hasTwoSpeeds(rates)) return [flags.twoSpeeds];
  const half = Math.floor(rates.length / 2);
  if (half === 0) return [flags.scattered];
  const change = median(rates.slice(-half)) / median(rates.slice(0, half));
  return [Math.abs(change - 1) > noisyHalfWidth ? flags.drifting : flags.scattered];
}

function hasTwoSpeeds(rates: readonly number[]): boolean {
  const sorted = rates.toSorted((a, b) => a - b);
  const least = Math.max(2, Math.ceil(leastShare * sorted.length));
  return sorted.some(
    (rate, index) =>
      index >= least && sorted.length - index >= least && rate >= speedGap * sorted[index - 1]!,
  );
}
