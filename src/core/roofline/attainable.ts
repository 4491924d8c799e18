import type { Precision } from './sample.ts';
import type { Ceiling, RidgePoint, Roofline } from './types.ts';

/** The best compute ceiling of a precision. */
export function computeRoof(roofline: Roofline, precision: Precision): Ceiling | undefined {
  return roofline.compute
    .filter((ceiling) => ceiling.precision === precision)
    .toSorted((a, b) => b.value - a.value)[0];
}

/** The last memory level, which holds every working set. */
export function memoryRoof(roofline: Roofline): Ceiling | undefined {
  return roofline.bandwidth.at(-1);
}

/**
 * The roof over an intensity (flop/byte, bytes of the last memory level):
 * min(P, B x intensity) in flop/s. Undefined where the device has no ceiling of the precision or
 * no bandwidth ceiling.
 *
 * Source: Williams, Waterman and Patterson, Roofline: an insightful visual performance model for
 * multicore architectures, CACM 52(4), 2009.
 */
export function attainable(
  roofline: Roofline,
  intensity: number,
  precision: Precision = 'f32',
): number | undefined {
  const compute = computeRoof(roofline, precision);
  const memory = memoryRoof(roofline);
  if (compute === undefined || memory === undefined) return undefined;
  return Math.min(compute.value, memory.value * intensity);
}

/** The intensity at which each bandwidth ceiling meets each compute ceiling, P / B. */
export function ridgePoints(
  compute: readonly Ceiling[],
  bandwidth: readonly Ceiling[],
): RidgePoint[] {
  return compute.flatMap((arithmetic) =>
    bandwidth.map((memory) => ({
      compute: arithmetic.id,
      bandwidth: memory.id,
      intensity: arithmetic.value / memory.value,
    })),
  );
}
