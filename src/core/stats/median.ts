import {
  median as medianOf,
  medianAbsoluteDeviation as medianAbsoluteDeviationOf,
} from 'simple-statistics';

/** Middle of the sorted values; the mean of the two middle ones for an even count. Throws on none. */
export function median(values: readonly number[]): number {
  return medianOf([...values]);
}

/** Median of the distances to the median: a spread that outliers do not move. Throws on no values. */
export function medianAbsoluteDeviation(values: readonly number[]): number {
  return medianAbsoluteDeviationOf([...values]);
}
