import { chainOperands, chainValue, type ChainForm, type Rounding } from './fmaEmulation.ts';

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
  /** The lane's value after `steps` steps from `seed`. */
  chainValue(form: ChainForm, rounding: Rounding, seed: number, steps: number): number;
}

/** Fractions of the multiples of the golden ratio: no two alike, spread evenly over [0, 1). */
function spread(index: number): number {
  return ((index + 1) * 0.6180339887498949) % 1;
}

const f32: LaneType = {
  lanes: 4,
  size: 4,
  write: (view, offset, value) => view.setFloat32(offset, value, true),
  coefficients: (form) => chainOperands[form],
  seed: (form, index) => {
    const { lowestSeed, highestSeed } = chainOperands[form];
    return Math.fround(lowestSeed + (highestSeed - lowestSeed) * spread(index));
  },
  chainValue: (form, rounding, seed, steps) => {
    const { a, b } = chainOperands[form];
    return chainValue(form, rounding, seed, a, b, steps);
  },
};

export const laneTypes = { f32 } as const;
