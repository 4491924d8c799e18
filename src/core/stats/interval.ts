import { median } from './median.ts';

export interface MedianInterval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** Probability that [low, high] covers the true median; under 0.95 for fewer than six values. */
  readonly coverage: number;
}

const wantedCoverage = 0.95;

/**
 * The 95 % confidence interval of the median by order statistics; nothing is assumed of the
 * distribution but that the values are independent. With the values sorted,
 * [X(r), X(n + 1 - r)] covers the median with probability 1 - 2 P(Binomial(n, 1/2) < r); r is the
 * largest that keeps 95 %. Fewer than six values cannot: theirs is [min, max] with its true coverage.
 *
 * Source: David and Nagaraja, Order Statistics, 3rd edition (2003), section 7.1; advised for
 * benchmarks by Hoefler and Belli, Scientific Benchmarking of Parallel Computing Systems (SC15).
 *
 * Throws a RangeError on no values.
 */
export function medianInterval(values: readonly number[]): MedianInterval {
  const length = values.length;
  if (length === 0) throw new RangeError('medianInterval: no values');
  const sorted = values.toSorted((a, b) => a - b);
  const { rank, coverage } = intervalRank(length);
  return {
    median: median(sorted),
    low: sorted[rank - 1]!,
    high: sorted[length - rank]!,
    coverage,
  };
}

/** Distance of the interval's farther end from the median, relative to the median. */
export function relativeHalfWidth(interval: Omit<MedianInterval, 'coverage'>): number {
  const { median: middle, low, high } = interval;
  return Math.max(high - middle, middle - low) / Math.abs(middle);
}

/** The largest rank r >= 1 whose interval keeps the wanted coverage, else r = 1. */
function intervalRank(length: number): { rank: number; coverage: number } {
  // Logarithms, since 2^-n underflows past a thousand values.
  let logProbability = -length * Math.LN2;
  let below = Math.exp(logProbability);
  let rank = 1;
  for (let next = 1; 2 * next < length; next++) {
    logProbability += Math.log((length - next + 1) / next);
    const belowNext = below + Math.exp(logProbability);
    if (1 - 2 * belowNext < wantedCoverage) break;
    below = belowNext;
    rank = next + 1;
  }
  return { rank, coverage: Math.max(0, 1 - 2 * below) };
}
