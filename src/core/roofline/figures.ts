import { groupBy } from '../groupBy.ts';
import { rateEstimate, timeEstimate, type Estimate } from './estimate.ts';
import { byVariant, fastest, pooledRates, type SampleOf, type VariantRates } from './rates.ts';
import type { Measured, Sample } from './sample.ts';

/** What a piece of work costs besides itself, in seconds each. */
export type Overheads = { readonly [Of in OverheadOf]?: Estimate<'s'> };
type OverheadOf = Extract<Measured, { kind: 'overhead' }>['of'];

/** The best rate between the page and the GPU, and the size at which it was reached. */
export interface TransferRate extends Estimate<'byte/s'> {
  readonly size: number;
}
export type Transfer = { readonly [Direction in TransferDirection]?: TransferRate };
type TransferDirection = Extract<Measured, { kind: 'transfer' }>['direction'];

/** A rate that is no ceiling: the access itself is the limit. */
export interface Extra extends Estimate<'byte/s' | 'op/s'> {
  readonly of: Extract<Measured, { kind: 'extra' }>['of'];
  readonly workingSetSize?: number;
}

/** The least cost of each kind of overhead. */
export function overheadsOf(samples: readonly SampleOf<'overhead'>[]): Overheads {
  return Object.fromEntries(
    groupBy(samples, ({ measured }) => measured.of).flatMap((group) => {
      const best = fastestOf(group);
      return best === undefined ? [] : [[group[0]!.measured.of, timeEstimate(best)]];
    }),
  );
}

/** The best rate of each direction over all sizes. */
export function transferOf(samples: readonly SampleOf<'transfer'>[]): Transfer {
  const rates = groupBy(samples, ({ measured: { direction, bytes } }) => `${direction} ${bytes}`)
    .flatMap((group) => {
      const best = fastestOf(group);
      if (best === undefined) return [];
      const { direction, bytes } = group[0]!.measured;
      return [{ direction, rate: { ...rateEstimate(best, 'byte/s' as const), size: bytes } }];
    })
    .toSorted((a, b) => a.rate.value - b.rate.value);
  // The last of each direction, the fastest, stays.
  return Object.fromEntries(rates.map(({ direction, rate }) => [direction, rate]));
}

/** The fastest variant of each kind of access and working set, in order of first appearance. */
export function extrasOf(samples: readonly SampleOf<'extra'>[]): Extra[] {
  return groupBy(samples, ({ measured: { of, workingSetSize } }) =>
    JSON.stringify([of, workingSetSize]),
  ).flatMap((group) => {
    const best = fastestOf(group);
    if (best === undefined) return [];
    const { of, unit, workingSetSize } = group[0]!.measured;
    return [
      {
        ...rateEstimate(best, `${unit}/s`),
        of,
        ...(workingSetSize !== undefined && { workingSetSize }),
      },
    ];
  });
}

function fastestOf(samples: readonly Sample[]): VariantRates | undefined {
  return fastest(byVariant(samples).map(pooledRates));
}
