import { studentT95 } from '../stats/studentT.ts';
import type { Figure } from './figures.ts';
import { logMoments, type Spread } from './spread.ts';

/** Runs that a side needs before its own spread says anything. */
export const runsForOwnSpread = 3;

/**
 * `differs`: the interval leaves 1 out. `alike`: it does not, and both sides have their own spread.
 * `noise`: it does not, and the sides are too few to tell. `once`: too few runs, and yet further
 * apart than such runs scatter. `unknown`: too few runs and no measured spread.
 */
export type RatioVerdict = 'differs' | 'alike' | 'noise' | 'once' | 'unknown';

/** One side's geometric mean over another's. */
export interface Ratio {
  readonly ratio: number;
  /** 95 % interval, run-to-run spread included; absent where nothing tells the spread. */
  readonly interval?: { readonly low: number; readonly high: number };
  readonly verdict: RatioVerdict;
}

/**
 * Compares the same figure of two sides. With at least three runs a side, the interval is Welch's
 * for the difference of the means of logarithms: what differs between runs is in it. With fewer, the
 * spread is that of repeated runs under the same profile, and each run's own interval, whichever
 * the larger.
 *
 * Source: Kalibera and Jones, Rigorous benchmarking in reasonable time, ISMM 2013 (compare ratios of
 * means over independent runs); Welch, Biometrika 34, 1947.
 */
export function compareSides(
  base: readonly Figure[],
  other: readonly Figure[],
  spread: Spread | undefined,
): Ratio {
  const a = logMoments(base.map(({ value }) => value));
  const b = logMoments(other.map(({ value }) => value));
  const difference = b.mean - a.mean;
  const ratio = Math.exp(difference);
  const enough = base.length >= runsForOwnSpread && other.length >= runsForOwnSpread;
  const halfWidth = enough
    ? welchHalfWidth(a.sumOfSquares, base.length, b.sumOfSquares, other.length)
    : borrowedHalfWidth(base, other, spread);
  if (halfWidth === undefined) return { ratio, verdict: 'unknown' };
  const apart = Math.abs(difference) > halfWidth;
  return {
    ratio,
    interval: { low: Math.exp(difference - halfWidth), high: Math.exp(difference + halfWidth) },
    verdict: enough ? (apart ? 'differs' : 'alike') : apart ? 'once' : 'noise',
  };
}

function welchHalfWidth(
  squaresA: number,
  lengthA: number,
  squaresB: number,
  lengthB: number,
): number {
  const varianceA = squaresA / (lengthA - 1) / lengthA;
  const varianceB = squaresB / (lengthB - 1) / lengthB;
  const variance = varianceA + varianceB;
  if (variance === 0) return 0;
  const degrees = variance ** 2 / (varianceA ** 2 / (lengthA - 1) + varianceB ** 2 / (lengthB - 1));
  return studentT95(degrees) * Math.sqrt(variance);
}

function borrowedHalfWidth(
  base: readonly Figure[],
  other: readonly Figure[],
  spread: Spread | undefined,
): number | undefined {
  if (spread === undefined) return undefined;
  const betweenRuns =
    studentT95(spread.degrees) * spread.deviation * Math.sqrt(1 / base.length + 1 / other.length);
  return Math.max(betweenRuns, Math.hypot(ownHalfWidth(base), ownHalfWidth(other)));
}

/** Half the width of a side's widest interval, in natural logarithms. */
function ownHalfWidth(figures: readonly Figure[]): number {
  return Math.max(...figures.map(({ low, high }) => Math.log(high / low) / 2));
}
