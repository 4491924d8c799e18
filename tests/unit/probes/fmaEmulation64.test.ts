import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fusedMultiplyAdd64 } from '../../../src/core/probes/fmaEmulation64.ts';

/** An f64 as an integer times a power of two. */
function exactly(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & 0xfffffffffffffn) | 0x10000000000000n;
  return { mantissa: bits >> 63n === 1n ? -mantissa : mantissa, exponent: exponent - 1075 };
}

/** mantissa * 2^exponent rounded to 53 bits, to nearest, ties to even, in integer arithmetic. */
function roundedOnce(mantissa: bigint, exponent: number): number {
  const magnitude = mantissa < 0n ? -mantissa : mantissa;
  const excess = magnitude.toString(2).length - 53;
  if (excess <= 0) return Number(mantissa) * 2 ** exponent;
  const shift = BigInt(excess);
  const half = 1n << (shift - 1n);
  const rest = magnitude & ((1n << shift) - 1n);
  const kept = magnitude >> shift;
  const up = rest > half || (rest === half && (kept & 1n) === 1n);
  const rounded = Number(up ? kept + 1n : kept) * 2 ** (exponent + excess);
  return mantissa < 0n ? -rounded : rounded;
}

function reference(x: number, y: number, z: number): number {
  const [left, right, addend] = [exactly(x), exactly(y), exactly(z)];
  const productExponent = left.exponent + right.exponent;
  const exponent = Math.min(productExponent, addend.exponent);
  const product = (left.mantissa * right.mantissa) << BigInt(productExponent - exponent);
  const sum = product + (addend.mantissa << BigInt(addend.exponent - exponent));
  return roundedOnce(sum, exponent);
}

const normal = fc
  .record({
    mantissa: fc.bigInt({ min: 0n, max: (1n << 52n) - 1n }),
    exponent: fc.integer({ min: -40, max: 40 }),
    sign: fc.constantFrom(-1, 1),
  })
  .map(({ mantissa, exponent, sign }) => sign * (1 + Number(mantissa) / 2 ** 52) * 2 ** exponent);

test('rounds once, whatever the arguments', () => {
  fc.assert(
    fc.property(normal, normal, normal, (x, y, z) => {
      expect(fusedMultiplyAdd64(x, y, z)).toBe(reference(x, y, z));
    }),
    { numRuns: 5000 },
  );
});

test('rounds once where the product nearly cancels or nearly ties', () => {
  fc.assert(
    fc.property(normal, normal, fc.integer({ min: -3, max: 3 }), (x, y, ulps) => {
      const nearby = -x * y * (1 + ulps * 2 ** -52);
      expect(fusedMultiplyAdd64(x, y, nearby)).toBe(reference(x, y, nearby));
      const tiny = x * y * 2 ** -53 * (1 + ulps * 2 ** -52);
      expect(fusedMultiplyAdd64(x, y, tiny)).toBe(reference(x, y, tiny));
    }),
    { numRuns: 5000 },
  );
});

test('differs from two roundings', () => {
  const x = 1 + 2 ** -27;
  expect(fusedMultiplyAdd64(x, x, -1)).toBe(2 ** -26 + 2 ** -54);
  expect(x * x - 1).toBe(2 ** -26);
});
