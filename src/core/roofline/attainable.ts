import type { Precision } from './sample.ts';
import type { Ceiling, RidgePoint, Roofline } from './types.ts';

/** The best compute ceiling of a precision. */
export function computeRoof(
  { compute }: Pick<Roofline, 'compute'>,
  precision: Precision,
): Ceiling | undefined {
  return compute
    .filter((ceiling) => ceiling.precision === precision)
    .toSorted((a, b) => b.value - a.value)[0];
}

/** The last memory level, which holds every working set. */
export function memoryRoof({ bandwidth }: Pick<Roofline, 'bandwidth'>): Ceiling | undefined {
  return bandwidth.at(-1);
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

/**
 * The intensity at which each bandwidth ceiling meets each compute ceiling, P / B. The roof's own,
 * of the best f32 ceiling and main memory, comes first.
 */
export function ridgePoints(
  compute: readonly Ceiling[],
  bandwidth: readonly Ceiling[],
): RidgePoint[] {
  const roof = [computeRoof({ compute }, 'f32')?.id, memoryRoof({ bandwidth })?.id];
  const isRoof = (point: RidgePoint) => point.compute === roof[0] && point.bandwidth === roof[1];
  return compute
    .flatMap((arithmetic) =>
      bandwidth.map((memory) => ({
        compute: arithmetic.id,
        bandwidth: memory.id,
        intensity: arithmetic.value / memory.value,
        unit: arithmetic.unit === 'op/s' ? ('op/byte' as const) : ('flop/byte' as const),
      })),
    )
    .toSorted((a, b) => Number(isRoof(b)) - Number(isRoof(a)));
}
