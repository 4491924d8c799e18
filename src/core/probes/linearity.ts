/** Time may depart from proportion to the work by this share; past it work was skipped or added. */
const tolerance = 0.05;

/**
 * Judges whether twice the work takes twice the time, from interleaved runs of n and 2n. Of each
 * the fastest counts: a neighbour's disturbance only adds time. Returns why not, or undefined.
 */
export function nonlinearity(
  single: readonly number[],
  double: readonly number[],
): string | undefined {
  const ratio = Math.min(...double) / Math.min(...single);
  if (Math.abs(ratio / 2 - 1) <= tolerance) return undefined;
  return `twice the work took ${ratio.toFixed(2)} times as long`;
}
