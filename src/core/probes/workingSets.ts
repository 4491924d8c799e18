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

/**
 * The indices 0 to `length` - 1 (one or more), every `stride`th first, then those halfway between, and so on until
 * all are there; the last index is among the first. `stride` is a power of two.
 */
export function coarseFirst(length: number, stride: number): number[] {
  const order: number[] = [];
  const last = length - 1;
  for (let step = stride; step >= 1; step /= 2) {
    for (let index = last % step; index <= last; index += step)
      if (step === stride || (last - index) % (2 * step) !== 0) order.push(index);
  }
  return order;
}
