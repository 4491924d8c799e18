import type { ChainForm, Rounding } from './fmaEmulation.ts';

/** 2^27 + 1 splits an f64 into halves of 26 bits, whose products are exact. */
const splitter = 134_217_729;

/**
 * x*y + z in f64 with one rounding. Exact unless a part over- or underflows.
 *
 * The product and every sum are kept with their rounding errors (Dekker's product, Knuth's sum); the
 * errors are added with rounding to odd, after which rounding once more gives the right result.
 * Source: Boldo and Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms
 * using rounding to odd, IEEE Transactions on Computers 57 (2008), algorithm 5.
 */
export function fusedMultiplyAdd64(x: number, y: number, z: number): number {
  const product = x * y;
  const productError = multiplicationError(x, y, product);
  const low = z + productError;
  const lowError = additionError(z, productError, low);
  const high = product + low;
  const highError = additionError(product, low, high);
  return high + addRoundingToOdd(lowError, highError);
}

/** x*y - product, exactly, where product is their f64 product. */
function multiplicationError(x: number, y: number, product: number): number {
  const [xHigh, xLow] = split(x);
  const [yHigh, yLow] = split(y);
  return xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
}

function split(value: number): [number, number] {
  const scaled = splitter * value;
  const high = scaled - (scaled - value);
  return [high, value - high];
}

/** (left + right) - sum, exactly, where sum is their f64 sum. */
function additionError(left: number, right: number, sum: number): number {
  const rightPart = sum - left;
  const leftPart = sum - rightPart;
  return left - leftPart + (right - rightPart);
}

/** The sum where it is an f64, else that of the two nearest f64 whose last bit is set. */
function addRoundingToOdd(left: number, right: number): number {
  const sum = left + right;
  const error = additionError(left, right, sum);
  if (error === 0) return sum;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, sum);
  const bits = view.getBigInt64(0);
  if ((bits & 1n) === 1n) return sum;
  view.setBigInt64(0, bits + (error > 0 === sum > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/** One step of a chain in f64; roundings as in f32. */
export function chainStep64(
  form: ChainForm,
  rounding: Rounding,
  x: number,
  a: number,
  b: number,
): number {
  const factor = form === 'affine' ? a : x;
  switch (rounding) {
    case 'fused':
      return fusedMultiplyAdd64(x, factor, b);
    case 'separate':
      return x * factor + b;
    case 'unfused':
      return form === 'affine' ? (x + b) * a : x * x + b;
  }
}
