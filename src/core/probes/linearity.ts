/** Time may depart from proportion to the work by this factor; past it work was skipped or added. */
const defaultFactor = 1.05;

/** So many pairs are judged together: one reading that is wrong spoils no more than those. */
const windowLength = 5;

/** Times of a run of n and of the run of 2n right after it. */
export interface Pair {
  readonly single: number;
  readonly double: number;
}

/**
 * Judges whether twice the work takes twice the time, from interleaved runs of n and 2n. Of each
 * the fastest counts: a neighbour's disturbance only adds time. Returns why not, or undefined.
 * `within`: the factor, 1 or more, by which the ratio may differ from two.
 */
export function nonlinearity(
  single: readonly number[],
  double: readonly number[],
  within = defaultFactor,
): string | undefined {
  const ratio = Math.min(...double) / Math.min(...single);
  if (ratio >= 2 / within && ratio <= 2 * within) return undefined;
  return `twice the work took ${ratio.toFixed(2)} times as long`;
}

/**
 * Judges the last pairs in the same way, so that measuring on can outlive a wrong reading. A pair
 * in which the clock did not advance is no measurement and is left out.
 */
export function nonlinearityOfLast(pairs: readonly Pair[]): string | undefined {
  const last = pairs.filter(({ single, double }) => single > 0 && double > 0).slice(-windowLength);
  if (last.length === 0) return 'the clock did not advance';
  return nonlinearity(
    last.map(({ single }) => single),
    last.map(({ double }) => double),
  );
}
