import { groupBy } from '../groupBy.ts';
import { medianInterval, relativeHalfWidth, type MedianInterval } from '../stats/interval.ts';
import { flags } from './flags.ts';
import type { Measured, Sample, TimerSource } from './sample.ts';

/** The rates (work per second, one a repeat) of one variant under one timer. */
export interface VariantRates {
  readonly variant: string;
  readonly timer: TimerSource;
  readonly interval: MedianInterval;
  /** Raw times behind the interval. */
  readonly samples: number;
}

export type SampleOf<K extends Measured['kind']> = Sample & {
  readonly measured: Extract<Measured, { kind: K }>;
};

/** Evidence: an `ok` sample whose every time can be divided by. */
export function isEvidence(sample: Sample): boolean {
  return (
    sample.status === 'ok' &&
    sample.seconds.length > 0 &&
    sample.seconds.every((seconds) => seconds > 0 && Number.isFinite(seconds))
  );
}

export function samplesOf<K extends Measured['kind']>(
  samples: readonly Sample[],
  kind: K,
): SampleOf<K>[] {
  return samples.filter((sample): sample is SampleOf<K> => sample.measured.kind === kind);
}

/** Work done in each repeat, in the unit of the rate. */
export function workOf(measured: Extract<Measured, { kind: 'compute' | 'bandwidth' }>): number {
  return measured.kind === 'compute' ? measured.flops : measured.bytes;
}

/** Samples of each variant (probe, shape and timer), in order of first appearance. */
export function byVariant<S extends Sample>(samples: readonly S[]): S[][] {
  return groupBy(samples, ({ probe, variant, timer }) => JSON.stringify([probe, variant, timer]));
}

/** Pools the repeats of samples of one variant: each repeat's work over its time. */
export function pooledRates(
  samples: readonly (SampleOf<'compute'> | SampleOf<'bandwidth'>)[],
): VariantRates {
  const rates = samples.flatMap(({ measured, seconds }) =>
    seconds.map((time) => workOf(measured) / time),
  );
  const { variant, timer } = samples[0]!;
  return { variant, timer, interval: medianInterval(rates), samples: rates.length };
}

/**
 * The fastest variant by median. Variants with a full 95 % interval come first: of many short
 * trials the luckiest would otherwise win over the one that was measured to the end.
 */
export function fastest(candidates: readonly VariantRates[]): VariantRates | undefined {
  const settled = candidates.filter(({ interval }) => interval.coverage >= 0.95);
  const pool = settled.length > 0 ? settled : candidates;
  return pool.toSorted((a, b) => b.interval.median - a.interval.median)[0];
}

/** Flags that an interval earns by itself. */
export function intervalFlags(interval: MedianInterval): string[] {
  return [
    ...(relativeHalfWidth(interval) > 0.03 ? [flags.noisy] : []),
    ...(interval.coverage < 0.95 ? [flags.fewSamples] : []),
  ];
}
