import { chainStep, chainOperands, type ChainForm, type Rounding } from './fmaEmulation.ts';
import { patternWord } from './streamData.ts';

/**
 * The knee's probe loads lines of 64 bytes, four vectors of four f32 each, and works so much on them
 * that its intensity is what was asked for.
 */
export const mixedLineSize = 64;

/** flop/byte, rising: powers of two, and one between each two where roofs are likely to meet. */
export const mixedIntensities: readonly number[] = [
  1 / 8,
  1 / 4,
  1 / 2,
  1,
  2,
  3,
  4,
  6,
  8,
  12,
  16,
  24,
  32,
  48,
  64,
  128,
  256,
];

/** What is done with each line. */
export interface MixedShape {
  /** Vectors that are worked on; the others are only loaded. */
  readonly columns: 1 | 2 | 3 | 4;
  /** Multiply-adds of each of them, one after the other. */
  readonly steps: number;
}

/**
 * The shape of an intensity in flop/byte where so many bytes are moved for each line: 64 loaded, or
 * 128 where they are stored as well. One step of one, two or all four vectors, or several of all.
 * Throws a RangeError where no whole number of steps makes the intensity.
 */
export function mixedShape(intensity: number, movedSize = mixedLineSize): MixedShape {
  // Of one vector: a multiply and an add of four components.
  const vectorSteps = (intensity * movedSize) / 8;
  if (vectorSteps === 1 || vectorSteps === 2) return { columns: vectorSteps, steps: 1 };
  const steps = vectorSteps / 4;
  if (Number.isInteger(steps) && steps > 0) return { columns: 4, steps };
  throw new RangeError(`mixedShape: no kernel of ${intensity} flop/byte`);
}

/** Flops of a line: a multiply and an add of each component in each step. */
export function mixedFlops({ columns, steps }: MixedShape): number {
  return columns * 4 * steps * 2;
}

/** Where a word's value starts: four bits of it choose one of 16 values in [1, 2). */
export function mixedStartWord(word: number): number {
  return ((word & 0x00780000) | 0x3f800000) >>> 0;
}

/** The bits that each of the 16 start values ends as, by the four bits that chose it. */
export function mixedEndWords(
  { steps }: Pick<MixedShape, 'steps'>,
  form: ChainForm,
  rounding: Rounding,
): Uint32Array {
  const { a, b } = chainOperands[form];
  const values = Float32Array.from({ length: 16 }, (_, choice) => {
    let x = 1 + choice / 16;
    for (let step = 0; step < steps; step++) x = chainStep(form, rounding, x, a, b);
    return x;
  });
  return new Uint32Array(values.buffer);
}

/** What becomes of a word of the source. */
export function mixedEndWord(isWorked: boolean, ends: Uint32Array, word: number): number {
  return isWorked ? ends[(word >>> 19) & 15]! : word;
}

/**
 * What a line adds to its lane's sum, modulo 2^32: component c of vector v weighs (2v + 1)(2c + 1).
 * `wordIndex` says which word of the data each vector begins with.
 */
export function mixedLineDigest(
  { columns }: MixedShape,
  ends: Uint32Array,
  wordIndex: (column: number) => number,
): number {
  let digest = 0;
  for (let column = 0; column < 4; column++) {
    const first = wordIndex(column);
    for (let component = 0; component < 4; component++) {
      const end = mixedEndWord(column < columns, ends, patternWord(first + component));
      digest = (digest + Math.imul((2 * column + 1) * (2 * component + 1), end)) | 0;
    }
  }
  return digest >>> 0;
}

/** How the lines of a lane lie: each line whole, or its vectors as far apart as there are lanes. */
export type MixedLayout = 'line' | 'rows';

/** The first word of a vector of the line with this number of a lane. */
export function mixedWordIndex(
  layout: MixedLayout,
  lanes: number,
  lane: number,
  number: number,
  column: number,
): number {
  return layout === 'line'
    ? 16 * (number * lanes + lane) + 4 * column
    : 4 * ((4 * number + column) * lanes + lane);
}

/**
 * What so many lines from the first on add to a lane's word, modulo 2^32. After `linesInSet` lines a
 * lane begins again.
 */
export function mixedLaneSum(
  kernel: {
    readonly shape: MixedShape;
    readonly layout: MixedLayout;
    readonly ends: Uint32Array;
  },
  { lanes, linesInSet }: { readonly lanes: number; readonly linesInSet: number },
  lane: number,
  { first, lines }: { readonly first: number; readonly lines: number },
): number {
  const digest = (number: number) =>
    mixedLineDigest(kernel.shape, kernel.ends, (column) =>
      mixedWordIndex(kernel.layout, lanes, lane, number, column),
    );
  const rounds = Math.floor(lines / linesInSet);
  let sum = 0;
  for (let line = 0; line < Math.min(lines, linesInSet); line++) {
    const times = rounds + (line < lines % linesInSet ? 1 : 0);
    sum = (sum + Math.imul(times, digest((first + line) % linesInSet))) | 0;
  }
  return sum >>> 0;
}
