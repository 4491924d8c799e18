import type { ChainRounding } from './chainNumbers.ts';
import { chainOperation } from './chainOperations.ts';
import { digestTolerance, laneDigests, sumOfDigests } from './chainSums.ts';
import type { ChainVariant } from './chainVariant.ts';

/** How many dispatches of so much work a result holds. */
export interface Runs {
  readonly amount: number;
  readonly runs: number;
}

/** Lanes to check: the first, the last, and others spread over all by the golden ratio. */
export function sampledLanes(lanes: number, count: number): number[] {
  const spread = Array.from({ length: count }, (_, index) =>
    Math.floor(lanes * (((index + 1) * 0.6180339887498949) % 1)),
  );
  return [...new Set([0, lanes - 1, ...spread])];
}

/**
 * The rounding with which the sums of all sampled lanes fit the emulation bit for bit, or undefined:
 * the kernel did not do this work, or it rounds in a way of its own. `done` counts the dispatches by
 * how many segments each ran.
 */
export function roundingOfSums(
  variant: ChainVariant,
  sums: Uint32Array,
  done: readonly Runs[],
  sampled: readonly number[],
): ChainRounding | undefined {
  return chainOperation(variant.operation).roundings.find((rounding) =>
    sampled.every((lane) => sums[lane] === expectedSum(laneDigests(variant, rounding, lane), done)),
  );
}

/**
 * Whether a lane of a device that rounds f32 in a way of its own did this work: `prefixes` are its sums
 * after 1, 2 ... 8 segments, whose differences must come near the emulation's, and `sum` is that of
 * all dispatches, which must follow from those differences exactly.
 */
export function fitsNearly(
  variant: ChainVariant,
  lane: number,
  prefixes: readonly number[],
  sum: number,
  done: readonly Runs[],
): boolean {
  const measured = prefixes.map((prefix, index) => (prefix - (prefixes[index - 1] ?? 0)) >>> 0);
  const { number, roundings } = chainOperation(variant.operation);
  const [rounding] = roundings;
  if (number !== 'f32' || rounding === undefined) return false;
  const tolerance = digestTolerance(variant);
  const isNear = laneDigests(variant, rounding, lane).every(
    (digest, index) => Math.abs(((measured[index] ?? 0) - digest) | 0) <= tolerance,
  );
  return isNear && expectedSum(measured, done) === sum;
}

function expectedSum(digests: readonly number[], done: readonly Runs[]): number {
  return done.reduce(
    (sum, { amount, runs }) => (sum + Math.imul(sumOfDigests(digests, amount), runs)) >>> 0,
    0,
  );
}
