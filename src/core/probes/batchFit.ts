import { median } from '../stats/median.ts';

/**
 * Seconds of one call from wall times of interleaved batches of n and 2n calls. By t = t0 + n t1 what
 * a wait costs is t0 = 2 t(n) - t(2n), of the medians, and never less than nothing; each batch of 2n
 * less t0 gives one value. Undefined where the clock cannot tell: t0 is half of a batch or more.
 */
export function batchedSeconds(
  single: readonly number[],
  double: readonly number[],
  count: number,
): number[] | undefined {
  const wait = Math.max(0, 2 * median(single) - median(double));
  if (wait >= Math.min(...double) / 2) return undefined;
  return double.map((seconds) => (seconds - wait) / (2 * count));
}
