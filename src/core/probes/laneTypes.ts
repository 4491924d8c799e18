import { chainOperands, chainStep, type ChainForm, type Rounding } from './fmaEmulation.ts';
import { chainStep64 } from './fmaEmulation64.ts';

/** What a chain's vector is made of, and how one of its lanes computes. */
export interface LaneType {
  /** Lanes in the 128-bit vector; 1 where the kernel is scalar. */
  readonly lanes: number;
  /** Bytes of a lane. */
  readonly size: number;
  write(view: DataView, offset: number, value: number): void;
  coefficients(form: ChainForm): { readonly a: number; readonly b: number };
  /** A start value for every index, no two alike among the first thousand. */
  seed(form: ChainForm, index: number): number;
  /** One step of one lane. */
  step(form: ChainForm, rounding: Rounding, x: number, a: number, b: number): number;
}

/** Fractions of the multiples of the golden ratio: no two alike, spread evenly over [0, 1). */
function spread(index: number): number {
  return ((index + 1) * 0.6180339887498949) % 1;
}

function spreadSeed(form: ChainForm, index: number): number {
  const { lowestSeed, highestSeed } = chainOperands[form];
  return lowestSeed + (highestSeed - lowestSeed) * spread(index);
}

const f32: LaneType = {
  lanes: 4,
  size: 4,
  write: (view, offset, value) => view.setFloat32(offset, value, true),
  coefficients: (form) => chainOperands[form],
  seed: (form, index) => Math.fround(spreadSeed(form, index)),
  step: chainStep,
};

const scalarF32: LaneType = { ...f32, lanes: 1 };

/** The f32 operands with mantissas filled up to f64. */
const f64: LaneType = {
  lanes: 2,
  size: 8,
  write: (view, offset, value) => view.setFloat64(offset, value, true),
  coefficients: (form) => {
    const { a, b } = chainOperands[form];
    return { a: a * (1 + 2 ** -29 / 3), b: b * (1 + 2 ** -29 / 7) };
  },
  seed: spreadSeed,
  step: chainStep64,
};

/** An odd factor never merges two values, so the affine chains stay apart modulo 2^32. */
const i32: LaneType = {
  lanes: 4,
  size: 4,
  write: (view, offset, value) => view.setInt32(offset, value, true),
  coefficients: () => ({ a: 0x1e3779b1, b: 0x7f4a7c15 }),
  seed: (_form, index) => Math.imul(index + 1, 0x05ebca6b),
  step: (form, _rounding, x, a, b) =>
    form === 'affine' ? Math.imul((x + b) | 0, a) : (Math.imul(x, x) + b) | 0,
};

/** Four products of bytes and their sum to each i32 lane; the weights have 7 bits. */
const dotI8: LaneType = {
  ...i32,
  coefficients: () => ({ a: 0x5b176d2b, b: 0 }),
  step: (_form, _rounding, x, a) => {
    const products = [0, 8, 16, 24].map(
      (shift) => ((x << (24 - shift)) >> 24) * ((a >> shift) & 127),
    );
    return products.reduce((sum, product) => (sum + product) | 0, x);
  },
};

export const laneTypes = { f32, scalarF32, f64, i32, dotI8 } as const;
