/** Blocks grow by at most this factor: the first ones run in the engine's slow first tier. */
const mostGrowth = 8;

/** A block's count of repetitions and how long it takes. */
export interface BlockSize {
  readonly count: number;
  readonly seconds: number;
}

/**
 * Finds how many repetitions, a multiple of `unit`, take `blockSeconds`, running for at least
 * `warmupSeconds` so that code is optimised and caches are warm. Counts grow geometrically from
 * `unit`; the fastest pace seen decides, since the engine swaps in faster code on the way.
 */
export function sizeBlocks(
  run: (count: number) => void,
  unit: number,
  blockSeconds: number,
  warmupSeconds: number,
  now: () => number,
): BlockSize {
  const start = now();
  let count = unit;
  let pace = Infinity;
  for (;;) {
    const before = now();
    run(count);
    const after = now();
    const seconds = after - before;
    if (seconds >= blockSeconds / 4) pace = Math.min(pace, seconds / count);
    const wanted = pace === Infinity ? count * mostGrowth : blockSeconds / pace;
    const next = Math.max(unit, Math.round(Math.min(wanted, count * mostGrowth) / unit) * unit);
    const settled = next <= count * 1.25 || seconds >= blockSeconds / 2;
    if (settled && after - start >= warmupSeconds && pace < Infinity)
      return { count: next, seconds: next * pace };
    count = next;
  }
}
