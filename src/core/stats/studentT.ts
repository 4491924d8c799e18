/**
 * The two-sided 95 % quantile of Student's t: P(|T| <= t) = 0.95. `degrees` of freedom are rounded
 * down, which widens an interval and never narrows it.
 *
 * Throws a RangeError on fewer than one degree.
 */
export function studentT95(degrees: number): number {
  const whole = Math.floor(degrees);
  if (!(whole >= 1)) throw new RangeError('studentT95: needs at least one degree of freedom');
  let low = 0;
  // The quantile of one degree, the largest.
  let high = Math.tan((0.95 * Math.PI) / 2);
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (coverage(middle, whole) < 0.95) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * P(|T| <= t) for whole degrees of freedom n, as a finite sum in the angle atan(t / sqrt(n)).
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
 */
function coverage(t: number, degrees: number): number {
  // The normal limit; the sum would have as many terms as degrees.
  const n = Math.min(degrees, 10_000);
  const angle = Math.atan2(t, Math.sqrt(n));
  const sin = Math.sin(angle);
  const cos = Math.cos(angle);
  const odd = n % 2 === 1;
  let term = odd ? cos : 1;
  let sum = n === 1 ? 0 : term;
  for (let k = odd ? 3 : 2; k <= n - 2; k += 2) {
    term *= ((k - 1) / k) * cos * cos;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + sin * sum) : sin * sum;
}
