import { groupBy } from '../groupBy.ts';
import { rateEstimate } from './estimate.ts';
import {
  byVariant,
  fastest,
  fastestSettled,
  pooledRates,
  type SampleOf,
  type VariantRates,
} from './rates.ts';
import type { Precision } from './sample.ts';
import type { Ceiling } from './types.ts';

const labels = {
  f64: 'f64 multiply-add',
  f32: 'f32 multiply-add',
  f16: 'f16 multiply-add',
  i32: 'i32 multiply-add',
  i8: 'i8 dot product',
} as const satisfies Record<Precision, string>;

/** What one operation of a precision is called: integers do no floating ones. */
export function operationOf(precision: Precision): 'flop' | 'op' {
  return precision === 'i32' || precision === 'i8' ? 'op' : 'flop';
}

/** The fastest variant of each precision, best first. All samples are of one device and thread count. */
export function computeCeilings(samples: readonly SampleOf<'compute'>[]): Ceiling[] {
  return groupBy(samples, ({ measured }) => measured.precision)
    .flatMap((group) => {
      const { threads, measured } = group[0]!;
      const { precision } = measured;
      const best = bestVariant(group);
      if (best === undefined) return [];
      return [
        {
          id: `compute.${precision}`,
          label: labels[precision],
          precision,
          ...rateEstimate(best, `${operationOf(precision)}/s`),
          ...(threads !== undefined && { threads }),
        },
      ];
    })
    .toSorted((a, b) => b.value - a.value);
}

/**
 * The CPU's probes (scalar, multiply+add, FMA) each measure a winner to its interval, some in fewer
 * repeats than others: those winners are compared. The GPU's are one race.
 */
function bestVariant(samples: readonly SampleOf<'compute'>[]): VariantRates | undefined {
  if (samples[0]!.device === 'gpu') return fastest(byVariant(samples).map(pooledRates));
  const winners = groupBy(samples, ({ probe }) => probe).flatMap(
    (ofProbe) => fastest(byVariant(ofProbe).map(pooledRates)) ?? [],
  );
  return fastestSettled(winners);
}
