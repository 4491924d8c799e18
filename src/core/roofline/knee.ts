import { groupBy } from '../groupBy.ts';
import { computeRoof, memoryRoof } from './attainable.ts';
import { rateEstimate, type Estimate } from './estimate.ts';
import { flags } from './flags.ts';
import { byVariant, fastest, pooledRates, type SampleOf } from './rates.ts';
import type { Ceiling, Roofline } from './types.ts';

/** The mixed kernel at one intensity, beside the roof that the ceilings make there. */
export interface KneePoint extends Estimate<'flop/s'> {
  /** flop/byte */
  readonly intensity: number;
  /** min(P, B x intensity) in flop/s; absent where a ceiling is missing. */
  readonly roof?: number;
  /** 1 - value / roof; negative where the kernel is faster than the roof. */
  readonly shortfall?: number;
}

/** The roof itself, measured: a kernel whose flops a byte grow walks up the slope and along the top. */
export interface Knee {
  /** Rising intensity. */
  readonly points: readonly KneePoint[];
  /** The point that stays furthest below the roof; absent without a roof. */
  readonly largestShortfall?: { readonly intensity: number; readonly shortfall: number };
}

/**
 * The knee of a device from its mixed samples: at each intensity the fastest variant, beside
 * min(P, B x intensity) with P the best f32 ceiling and B the last memory level's. A point is flagged
 * `above roof` where its interval lies above those of the ceilings. All samples are of one device and
 * thread count. Undefined without samples.
 */
export function kneeOf(
  samples: readonly SampleOf<'mixed'>[],
  ceilings: Pick<Roofline, 'compute' | 'bandwidth'>,
): Knee | undefined {
  const compute = computeRoof(ceilings, 'f32');
  const memory = memoryRoof(ceilings);
  const points = groupBy(samples, (sample) => nominal(intensityOf(sample)))
    .flatMap((group) => kneePoint(group, compute, memory))
    .toSorted((a, b) => a.intensity - b.intensity);
  if (points.length === 0) return undefined;
  const [furthest] = points
    .flatMap(({ intensity, shortfall }) =>
      shortfall === undefined ? [] : [{ intensity, shortfall }],
    )
    .toSorted((a, b) => b.shortfall - a.shortfall);
  return { points, ...(furthest && { largestShortfall: furthest }) };
}

/**
 * Twelfths of an octave: whole numbers of steps bring some variants only near to an intensity, and where
 * several were measured the best one counts.
 */
function nominal(intensity: number): number {
  return Math.round(12 * Math.log2(intensity));
}

function intensityOf({ measured }: SampleOf<'mixed'>): number {
  return measured.flops / measured.bytes;
}

/** All samples are of nearly one intensity; the point is at the best variant's. */
function kneePoint(
  samples: readonly SampleOf<'mixed'>[],
  compute: Ceiling | undefined,
  memory: Ceiling | undefined,
): KneePoint[] {
  const variants = byVariant(samples);
  const rates = variants.map(pooledRates);
  const best = fastest(rates);
  if (best === undefined) return [];
  const intensity = intensityOf(variants[rates.indexOf(best)]![0]!);
  const estimate = rateEstimate(best, 'flop/s' as const);
  if (compute === undefined || memory === undefined) return [{ ...estimate, intensity }];
  const roof = Math.min(compute.value, memory.value * intensity);
  const highestRoof = Math.min(compute.ciHigh, memory.ciHigh * intensity);
  return [
    {
      ...estimate,
      intensity,
      roof,
      shortfall: 1 - estimate.value / roof,
      flags: [...estimate.flags, ...(estimate.ciLow > highestRoof ? [flags.aboveRoof] : [])],
    },
  ];
}
