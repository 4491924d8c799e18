/**
 * Working sets from `smallest` to `largest` bytes, both included, in equal steps of their logarithm
 * of at most `ratio`.
 */
export function workingSets(smallest: number, largest: number, ratio: number): number[] {
  if (!(smallest > 0 && largest >= smallest && ratio > 1))
    throw new RangeError(`workingSets: bad range ${smallest} to ${largest} by ${ratio}`);
  const span = Math.log(largest / smallest);
  const steps = Math.ceil(span / Math.log(ratio) - 1e-9);
  return Array.from({ length: steps + 1 }, (_, step) =>
    Math.round(smallest * Math.exp((span * step) / Math.max(1, steps))),
  );
}
