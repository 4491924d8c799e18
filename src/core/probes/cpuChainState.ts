import { computeKernels, type ComputeVariant } from './cpuKernels.ts';
import type { Rounding } from './fmaEmulation.ts';

/** Steps of a chain from one seed to the next. */
export const stepsPerSegment = 128;
/** Rows of seeds; a kernel's trip t starts from row t modulo 8. */
export const seedRows = 8;

const vectorSize = 16;
const mostChains = 14;
const bOffset = vectorSize;
const seedsOffset = 2 * vectorSize;
const rowSize = mostChains * vectorSize;
const sumsOffset = seedsOffset + seedRows * rowSize;

/** Bytes of the state that a compute kernel reads and writes (wasm/assembly/probe/chains.ts). */
export const chainStateSize = sumsOffset + rowSize;

/** Operations of `trips` trips of a variant on one thread. */
export function operationsOf({ kernel, chains }: ComputeVariant, trips: number): number {
  const { lane, operationsPerStep } = computeKernels[kernel];
  return trips * stepsPerSegment * chains * lane.lanes * operationsPerStep;
}

/** Writes coefficients and seeds for a variant and clears its sums. */
export function writeChainState(view: DataView, base: number, variant: ComputeVariant): void {
  const { lane } = computeKernels[variant.kernel];
  const { a, b } = lane.coefficients(variant.form);
  for (let offset = 0; offset < chainStateSize; offset += 4) view.setInt32(base + offset, 0, true);
  for (let index = 0; index < lane.lanes; index++) {
    lane.write(view, base + index * lane.size, a);
    lane.write(view, base + bOffset + index * lane.size, b);
  }
  for (let row = 0; row < seedRows; row++) {
    for (let chain = 0; chain < mostChains; chain++) {
      const at = base + seedsOffset + row * rowSize + chain * vectorSize;
      for (let index = 0; index < lane.lanes; index++)
        lane.write(view, at + index * lane.size, seedOf(variant, row, chain, index));
    }
  }
}

/** The sums that a variant left: four words a chain. */
export function readChainSums(view: DataView, base: number, { chains }: ComputeVariant): number[] {
  return Array.from({ length: chains * 4 }, (_, word) =>
    view.getInt32(base + sumsOffset + word * 4, true),
  );
}

/**
 * The sums that a variant must leave after `trips` trips, a multiple of 8: for every chain the four
 * words of its vector at each segment's end, summed modulo 2^32.
 */
export function expectedChainSums(
  variant: ComputeVariant,
  rounding: Rounding,
  trips: number,
): number[] {
  if (trips % seedRows !== 0)
    throw new RangeError(`trips must be a multiple of ${seedRows}: ${trips}`);
  return roundOfSums(variant, rounding).map((sum) => Math.imul(sum, trips / seedRows));
}

/** The sums of one round of the eight rows of seeds. */
function roundOfSums(variant: ComputeVariant, rounding: Rounding): number[] {
  const { lane } = computeKernels[variant.kernel];
  const sums = Array.from({ length: variant.chains * 4 }, () => 0);
  const vector = new DataView(new ArrayBuffer(vectorSize));
  for (let chain = 0; chain < variant.chains; chain++) {
    for (let row = 0; row < seedRows; row++) {
      for (let index = 0; index < lane.lanes; index++) {
        const value = segmentEnd(variant, rounding, seedOf(variant, row, chain, index));
        lane.write(vector, index * lane.size, value);
      }
      for (let word = 0; word < 4; word++)
        sums[chain * 4 + word] = (sums[chain * 4 + word]! + vector.getInt32(word * 4, true)) | 0;
    }
  }
  return sums;
}

/** A lane's value at the end of a segment. */
function segmentEnd({ kernel, form }: ComputeVariant, rounding: Rounding, seed: number): number {
  const { lane } = computeKernels[kernel];
  const { a, b } = lane.coefficients(form);
  let x = seed;
  for (let step = 0; step < stepsPerSegment; step++) x = lane.step(form, rounding, x, a, b);
  return x;
}

function seedOf(
  { kernel, form }: ComputeVariant,
  row: number,
  chain: number,
  lane: number,
): number {
  const type = computeKernels[kernel].lane;
  return type.seed(form, (row * mostChains + chain) * type.lanes + lane);
}

/**
 * The rounding with which the sums fit the emulation in every word of every chain, or undefined:
 * the kernel did not do its work.
 */
export function roundingOf(
  variant: ComputeVariant,
  sums: readonly number[],
  trips: number,
): Rounding | undefined {
  return computeKernels[variant.kernel].roundings.find((rounding) => {
    const expected = expectedChainSums(variant, rounding, trips);
    return expected.length === sums.length && expected.every((sum, word) => sum === sums[word]);
  });
}
