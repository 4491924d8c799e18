import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chainOperands,
  chainStep,
  type ChainForm,
  type Rounding,
  fusedMultiplyAdd,
} from '../../../src/core/probes/fmaEmulation.ts';

/** value * 2^298, exactly: every f32 is a multiple of 2^-149. */
function scaled(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  const shift = Math.max(exponent, 1) - 1075 + 298;
  const magnitude = shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

/** The f32 neighbours of a value, itself included. */
function neighbours(value: number): number[] {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getInt32(0);
  return [-1, 0, 1].map((step) => {
    view.setInt32(0, bits + step);
    return view.getFloat32(0);
  });
}

function isEven(value: number): boolean {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return (view.getInt32(0) & 1) === 0;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** x*y + z rounded once, to nearest, ties to even, in integer arithmetic. */
function exactly(x: number, y: number, z: number): number {
  // The product of two multiples of 2^-149 is one of 2^-298.
  const exact = ((scaled(x) * scaled(y)) >> 298n) + scaled(z);
  const candidates = neighbours(Math.fround(x * y + z));
  return candidates.reduce((best, candidate) => {
    const difference = absolute(scaled(candidate) - exact) - absolute(scaled(best) - exact);
    return difference < 0n || (difference === 0n && isEven(candidate)) ? candidate : best;
  });
}

const normal = fc
  .record({
    mantissa: fc.integer({ min: 0, max: 0x7fffff }),
    exponent: fc.integer({ min: -30, max: 30 }),
    sign: fc.constantFrom(-1, 1),
  })
  .map(({ mantissa, exponent, sign }) => sign * (1 + mantissa / 2 ** 23) * 2 ** exponent);

function chainValue(
  form: ChainForm,
  rounding: Rounding,
  seed: number,
  a: number,
  b: number,
  steps: number,
): number {
  let x = seed;
  for (let step = 0; step < steps; step++) x = chainStep(form, rounding, x, a, b);
  return x;
}

describe('fusedMultiplyAdd', () => {
  test('rounds once, whatever the arguments', () => {
    fc.assert(
      fc.property(normal, normal, normal, (x, y, z) => {
        expect(fusedMultiplyAdd(x, y, z)).toBe(exactly(x, y, z));
      }),
      { numRuns: 5000 },
    );
  });

  test('rounds right where rounding to f64 and then to f32 does not', () => {
    const tie = fc
      .record({
        odd: fc.integer({ min: 0, max: 0x3fffff }),
        exponent: fc.integer({ min: 1, max: 5 }),
      })
      .map(({ odd, exponent }) => ({
        // z is an odd f32; x*y is half its last place, a little more or less.
        z: 1 + (2 * odd + 1) / 2 ** 23,
        x: 2 ** -24 * (1 + 2 ** -23),
        y: 1 - 2 ** -24 * exponent,
      }));
    let wrongTwice = 0;
    fc.assert(
      fc.property(tie, ({ x, y, z }) => {
        expect(fusedMultiplyAdd(x, y, z)).toBe(exactly(x, y, z));
        if (Math.fround(x * y + z) !== exactly(x, y, z)) wrongTwice++;
      }),
    );
    expect(wrongTwice).toBeGreaterThan(10);
  });

  test('differs from two roundings', () => {
    const x = 1 + 2 ** -12;
    expect(fusedMultiplyAdd(x, x, -1)).toBe(2 ** -11 + 2 ** -24);
    expect(chainStep('affine', 'separate', x, x, -1)).toBe(2 ** -11);
  });
});

describe('chains', () => {
  test('stay finite, normal and apart for a whole segment', () => {
    for (const form of ['affine', 'quadratic'] as const) {
      const { a, b, lowestSeed, highestSeed } = chainOperands[form];
      const seeds = Array.from({ length: 448 }, (_, i) =>
        Math.fround(lowestSeed + ((highestSeed - lowestSeed) * i) / 448),
      );
      for (const rounding of ['fused', 'separate', 'unfused'] as const) {
        const values = seeds.map((seed) => chainValue(form, rounding, seed, a, b, 128));
        expect(values.every((value) => Math.abs(value) < 2 && Math.abs(value) > 1e-30)).toBe(true);
        // Of 448 chaotic orbits in f32 a pair may meet by chance.
        expect(new Set(values).size).toBeGreaterThan(seeds.length - 4);
      }
    }
  });

  test('tell the roundings apart', () => {
    for (const form of ['affine', 'quadratic'] as const) {
      const { a, b } = chainOperands[form];
      const apart = Array.from({ length: 40 }, (_, i) => Math.fround(0.3 + i / 50)).filter(
        (seed) =>
          chainValue(form, 'fused', seed, a, b, 128) !==
          chainValue(form, 'separate', seed, a, b, 128),
      );
      expect(apart.length).toBeGreaterThan(8);
    }
  });
});
