import { groupBy } from '../groupBy.ts';
import { medianInterval, type MedianInterval } from '../stats/interval.ts';
import { flags } from './flags.ts';
import { isNoisy, noiseFlags } from './rateNoise.ts';
import type { Measured, Sample, TimerSource } from './sample.ts';

/** The rates (work per second, one a repeat) of one variant under one timer. */
export interface VariantRates {
  readonly variant: string;
  readonly timer: TimerSource;
  readonly interval: MedianInterval;
  /** Raw times behind the interval. */
  readonly samples: number;
  /** What the samples were flagged with, and why the interval is wide where it is. */
  readonly flags: readonly string[];
}

export type SampleOf<K extends Measured['kind']> = Sample & {
  readonly measured: Extract<Measured, { kind: K }>;
};

/** Evidence: an `ok` sample of some work, whose every time gives a rate. */
export function isEvidence({ status, seconds, measured }: Sample): boolean {
  const isSomewhere = measured.kind !== 'bandwidth' || measured.workingSetSize > 0;
  const isPlausible = measured.kind !== 'mixed' || isIntensity(measured.flops / measured.bytes);
  const work = workOf(measured);
  const areRates = seconds.every((time) => work / time > 0 && Number.isFinite(work / time));
  return status === 'ok' && isSomewhere && isPlausible && areTimes(seconds) && areRates;
}

/** A number of flops a byte that some kernel may have. */
function isIntensity(flopsPerByte: number): boolean {
  return flopsPerByte >= 1e-9 && flopsPerByte <= 1e9;
}

/** At least one, each finite and no shorter than a picosecond, which no repeat is. */
export function areTimes(seconds: readonly number[]): boolean {
  return seconds.length > 0 && seconds.every((time) => time >= 1e-12 && Number.isFinite(time));
}

export function samplesOf<K extends Measured['kind']>(
  samples: readonly Sample[],
  kind: K,
): SampleOf<K>[] {
  return samples.filter((sample): sample is SampleOf<K> => sample.measured.kind === kind);
}

/** Work done in each repeat: operations, bytes, loads or calls; of mixed work the operations. */
export function workOf(measured: Measured): number {
  switch (measured.kind) {
    case 'compute':
      return measured.flops;
    case 'bandwidth':
      return measured.bytes;
    case 'latency':
      return measured.loads;
    case 'overhead':
      return measured.count;
    case 'mixed':
    case 'sustained':
      return measured.flops;
    case 'transfer':
      return measured.bytes;
    case 'extra':
      return measured.amount;
  }
}

/** Samples of each variant (probe, pattern, shape and timer), in order of first appearance. */
export function byVariant<S extends Sample>(samples: readonly S[]): S[][] {
  return groupBy(samples, ({ probe, variant, timer, measured }) =>
    JSON.stringify([probe, variant, timer, measured.kind === 'bandwidth' && measured.pattern]),
  );
}

/** What a sample ran, in words; a bandwidth says in which pattern. */
function variantName({ variant, measured }: Sample): string {
  return measured.kind === 'bandwidth' ? `${measured.pattern}: ${variant}` : variant;
}

/** Pools the repeats of samples of one variant: each repeat's work over its time. */
export function pooledRates(samples: readonly Sample[]): VariantRates {
  const rates = samples.flatMap(({ measured, seconds }) =>
    seconds.map((time) => workOf(measured) / time),
  );
  const first = samples[0]!;
  return {
    variant: variantName(first),
    timer: first.timer,
    interval: medianInterval(rates),
    samples: rates.length,
    flags: [...new Set(samples.flatMap((sample) => sample.flags)), ...noiseFlags(rates)],
  };
}

/**
 * The fastest variant by median, of those with at least half as many times as the most measured one
 * and, where there are such, a full 95 % interval: of many short trials the luckiest would otherwise
 * win over the one that was measured to the end.
 */
export function fastest(candidates: readonly VariantRates[]): VariantRates | undefined {
  const most = candidates.reduce((largest, { samples }) => Math.max(largest, samples), 0);
  return fastestSettled(candidates.filter(({ samples }) => 2 * samples >= most));
}

/** The fastest by median, of those with a full 95 % interval where there are such. */
export function fastestSettled(candidates: readonly VariantRates[]): VariantRates | undefined {
  const settled = candidates.filter(({ interval }) => interval.coverage >= 0.95);
  const pool = settled.length > 0 ? settled : candidates;
  return pool.toSorted((a, b) => b.interval.median - a.interval.median)[0];
}

/** Flags that an interval earns by itself. */
export function intervalFlags(interval: MedianInterval): string[] {
  return [
    ...(isNoisy(interval) ? [flags.noisy] : []),
    ...(interval.coverage < 0.95 ? [flags.fewSamples] : []),
  ];
}
