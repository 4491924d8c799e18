// Exponential and logarithm without tables: this module has no data of its own in memory. Both are
// right to about 1e-14, far below f32.

const LOG2_E: f64 = 1.4426950408889634;
const LN2_HIGH: f64 = 6.93147180369123816490e-1;
const LN2_LOW: f64 = 1.90821492927058770002e-10;
const LN2: f64 = 0.6931471805599453;
const SQRT2: f64 = 1.4142135623730951;
const TERMS = 13;

/** e^x for x <= 0: 2^k e^r with |r| <= ln 2 / 2, by the Taylor series. Under e^-700 it is 0. */
export function exponential(x: f64): f64 {
  if (x < -700) return 0;
  const k = nearest(x * LOG2_E);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum: f64 = 1;
  for (let n = TERMS; n > 0; n--) sum = 1 + (sum * r) / <f64>n;
  return sum * reinterpret<f64>((<i64>k + 1023) << 52);
}

/**
 * ln x for x >= 1: ln(2^k m) with m in [sqrt(1/2), sqrt(2)], by 2 artanh((m - 1) / (m + 1)).
 */
export function logarithm(x: f64): f64 {
  let k: f64 = 0;
  while (x > SQRT2) {
    x *= 0.5;
    k += 1;
  }
  const s = (x - 1) / (x + 1);
  const square = s * s;
  let sum: f64 = 0;
  for (let n = 2 * TERMS + 1; n > 0; n -= 2) sum = sum * square + 1 / <f64>n;
  return k * LN2 + 2 * s * sum;
}
