/** A quantity's 95 % interval; [min, max] below six values. */
interface Spread {
  readonly low: number;
  readonly high: number;
  /** Values behind the interval; absent where it is a full one. */
  readonly samples?: number;
}

/** Times are measured to 3 %: a smaller change is none, however narrow the intervals. */
const leastNoise = 0.03;
/**
 * [min, max] of two to five values covers 50, 75, 87.5 and 93.75 %; these factors widen it to 95 %
 * as of a normal distribution, z(0.975) / z((1 + coverage) / 2).
 */
const rangeWidening: Readonly<Record<number, number>> = { 2: 2.91, 3: 1.7, 4: 1.28, 5: 1.05 };

/**
 * Half-width of the 95 % interval of the change between two quantities, in natural logarithms;
 * Infinity where one of them is known from a single value.
 */
export function noiseOfChange(from: Spread, to: Spread): number {
  return Math.max(leastNoise, Math.hypot(logHalfWidth(from), logHalfWidth(to)));
}

function logHalfWidth({ low, high, samples }: Spread): number {
  if (samples === 1) return Infinity;
  return ((rangeWidening[samples ?? 0] ?? 1) * Math.log(high / low)) / 2;
}
