import type { Rounding } from './fmaEmulation.ts';
import { laneTypes } from './laneTypes.ts';
import type { MixedShape } from './mixed.ts';

/** The arithmetic of a mixed kernel: two roundings in every build, one only in relaxed-simd. */
export type MixedArithmetic = 'multiplyAdd' | 'fma';

/** Bytes that a mixed kernel takes at a time: three lines of four vectors. */
const groupSize = 3 * 64;
/** The data repeats after so many bytes, whole pages of random words: what all of it sums to follows. */
export const mixedTileSize = 64 * groupSize;

/** Offsets in the state of a mixed kernel: a, b, and the four sums. */
const bOffset = 16;
const sumsOffset = 32;

const lane = laneTypes.f32;
const roundings = {
  multiplyAdd: ['unfused'],
  fma: ['fused', 'separate'],
} as const satisfies Record<MixedArithmetic, readonly Rounding[]>;

/** The WASM function of an arithmetic and so many worked-on vectors a line. */
export function mixedFunctionName(
  arithmetic: MixedArithmetic,
  columns: MixedShape['columns'],
): string {
  return `${arithmetic === 'fma' ? 'mixedFma' : 'mixedMultiplyAdd'}_${columns}`;
}

/** Writes the coefficients and clears the sums. */
export function writeMixedState(view: DataView, base: number): void {
  const { a, b } = lane.coefficients('affine');
  for (let index = 0; index < lane.lanes; index++) {
    lane.write(view, base + index * lane.size, a);
    lane.write(view, base + bOffset + index * lane.size, b);
    view.setInt32(base + sumsOffset + index * 4, 0, true);
  }
}

export function readMixedSums(view: DataView, base: number): number[] {
  return [0, 4, 8, 12].map((offset) => view.getInt32(base + sumsOffset + offset, true));
}

/** What one tile adds to the four sums, by an emulation of every step of every lane of `words`. */
export function mixedTileSums(
  words: Int32Array,
  { columns, steps }: MixedShape,
  rounding: Rounding,
): number[] {
  const { a, b } = lane.coefficients('affine');
  const starts = new Float32Array(words.buffer, words.byteOffset, words.length);
  const end = new DataView(new ArrayBuffer(4));
  const sums = [0, 0, 0, 0];
  for (const [index, word] of words.entries()) {
    const isWorkedOn = (index >> 2) % 4 < columns;
    let bits = word;
    if (isWorkedOn) {
      let x = starts[index]!;
      for (let step = 0; step < steps; step++) x = lane.step('affine', rounding, x, a, b);
      end.setFloat32(0, x);
      bits = end.getInt32(0);
    }
    sums[index % 4] = (sums[index % 4]! + bits) | 0;
  }
  return sums;
}

/**
 * The rounding with which so many tiles leave these sums, in every lane; undefined where none does:
 * the kernel did not do its work.
 */
export function mixedRoundingOf(
  words: Int32Array,
  shape: MixedShape,
  arithmetic: MixedArithmetic,
  tiles: number,
  sums: readonly number[],
): Rounding | undefined {
  return roundings[arithmetic].find((rounding) =>
    mixedTileSums(words, shape, rounding).every(
      (sum, index) => Math.imul(sum, tiles) === sums[index],
    ),
  );
}
