/** The recurrence of a chain: x*a + b, or x*x + b. */
export type ChainForm = 'affine' | 'quadratic';

/**
 * How a step rounds. `fused`: once. `separate`: x*a + b and x*x + b with two roundings, where a
 * fused operation was asked for and the device has none. `unfused`: two roundings by design, the
 * affine form then being (x + b)*a, which no compiler may contract.
 */
export type Rounding = 'fused' | 'separate' | 'unfused';

/**
 * x*y + z in f32 with one rounding, of f32 arguments. Exact unless the result overflows.
 *
 * The product of two f32 is exact in f64. The sum is then rounded to f64 and again to f32; the
 * second rounding can only go wrong where the f64 lies exactly midway between two f32, and there
 * the sign of the first rounding's error (TwoSum: Knuth, The Art of Computer Programming 2,
 * section 4.2.2) tells which of them is nearer.
 */
export function fusedMultiplyAdd(x: number, y: number, z: number): number {
  const product = x * y;
  const sum = product + z;
  const rounded = Math.fround(sum);
  const opposite = rounded + 2 * (sum - rounded);
  if (opposite === rounded || Math.fround(opposite) !== opposite) return rounded;
  const error = roundingError(product, z, sum);
  if (error === 0) return rounded;
  return error > 0 ? Math.max(rounded, opposite) : Math.min(rounded, opposite);
}

/** (left + right) - sum, exactly, where sum is their f64 sum. */
function roundingError(left: number, right: number, sum: number): number {
  const rightPart = sum - left;
  const leftPart = sum - rightPart;
  return left - leftPart + (right - rightPart);
}

/** One step of a chain in f32. */
export function chainStep(
  form: ChainForm,
  rounding: Rounding,
  x: number,
  a: number,
  b: number,
): number {
  const factor = form === 'affine' ? a : x;
  switch (rounding) {
    case 'fused':
      return fusedMultiplyAdd(x, factor, b);
    case 'separate':
      return Math.fround(Math.fround(x * factor) + b);
    case 'unfused':
      return form === 'affine'
        ? Math.fround(Math.fround(x + b) * a)
        : Math.fround(Math.fround(x * x) + b);
  }
}

/** Where a form's values stay finite, normal and apart: coefficients and the range of the seeds. */
export interface ChainOperands {
  readonly a: number;
  readonly b: number;
  readonly lowestSeed: number;
  readonly highestSeed: number;
}

/**
 * Operands of each form, with full mantissas so that every step rounds. Affine: contracts towards
 * b / (1 - a) = 1.4, slowly enough that chains stay apart for thousands of steps. Quadratic:
 * x*x - 1.87 is chaotic on [-1.97, 1.97], so one wrong rounding changes every later bit.
 */
export const chainOperands = {
  affine: {
    a: Math.fround(0.99912345),
    b: Math.fround(0.00122717),
    lowestSeed: 0.25,
    highestSeed: 1.25,
  },
  quadratic: {
    a: 0,
    b: Math.fround(-1.8712345),
    lowestSeed: 0.25,
    highestSeed: 1.25,
  },
} as const satisfies Record<ChainForm, ChainOperands>;
