export interface LinearFit {
  readonly intercept: number;
  readonly slope: number;
  /** Largest |y - fit| / |y| over the points: 0.05 means linear within 5 %. */
  readonly maxRelativeResidual: number;
}

/**
 * Ordinary least squares, y = intercept + slope x. Deviations from the mean are summed, not raw
 * squares, so that counts far from zero lose no digits.
 *
 * Throws a RangeError where the lengths differ or fewer than two x are distinct.
 */
export function linearFit(xs: readonly number[], ys: readonly number[]): LinearFit {
  if (xs.length !== ys.length) throw new RangeError('linearFit: lengths of xs and ys differ');
  const meanX = mean(xs);
  const meanY = mean(ys);
  let squares = 0;
  let products = 0;
  for (const [index, x] of xs.entries()) {
    squares += (x - meanX) ** 2;
    products += (x - meanX) * (ys[index]! - meanY);
  }
  if (!(squares > 0)) throw new RangeError('linearFit: needs two distinct x');
  const slope = products / squares;
  const residuals = xs.map((x, index) => {
    const y = ys[index]!;
    const residual = Math.abs(y - meanY - slope * (x - meanX));
    return residual === 0 ? 0 : residual / Math.abs(y);
  });
  return {
    intercept: meanY - slope * meanX,
    slope,
    maxRelativeResidual: Math.max(...residuals),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
