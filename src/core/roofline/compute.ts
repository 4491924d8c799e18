import { groupBy } from '../groupBy.ts';
import { rateEstimate } from './estimate.ts';
import { byVariant, fastest, pooledRates, type SampleOf } from './rates.ts';
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
      const best = fastest(byVariant(group).map(pooledRates));
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
