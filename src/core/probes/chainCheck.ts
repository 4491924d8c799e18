import { laneSums } from './chainSums.ts';
import type { ChainVariant } from './chainVariant.ts';
import type { Rounding } from './fmaEmulation.ts';

/** How many dispatches of so much work a result holds. */
export interface Runs {
  readonly amount: number;
  readonly runs: number;
}

/** How a device may round a fused multiply-add, likeliest first. */
const roundings: readonly Rounding[] = ['fused', 'separate'];

/** Lanes to check: the first, the last, and others spread over all by the golden ratio. */
export function sampledLanes(lanes: number, count: number): number[] {
  const spread = Array.from({ length: count }, (_, index) =>
    Math.floor(lanes * (((index + 1) * 0.6180339887498949) % 1)),
  );
  return [...new Set([0, lanes - 1, ...spread])];
}

/**
 * The rounding with which the sums of all sampled lanes fit the emulation bit for bit, or undefined:
 * the kernel did not do this work. `done` counts the dispatches by how many segments each ran.
 */
export function roundingOfSums(
  variant: ChainVariant,
  sums: Uint32Array,
  done: readonly Runs[],
  sampled: readonly number[],
): Rounding | undefined {
  return roundings.find((rounding) =>
    sampled.every((lane) => {
      const sumOf = laneSums(variant, rounding, lane);
      const expected = done.reduce(
        (sum, { amount, runs }) => (sum + Math.imul(sumOf(amount), runs)) >>> 0,
        0,
      );
      return sums[lane] === expected;
    }),
  );
}
