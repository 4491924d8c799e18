import { medianInterval } from '../stats/interval.ts';
import { rateEstimate, type Estimate } from './estimate.ts';
import { operationOf } from './compute.ts';
import { noiseFlags } from './rateNoise.ts';
import { byVariant, pooledRates, type SampleOf } from './rates.ts';
import type { Precision } from './sample.ts';

/** One second or so of a long run. */
export interface SustainedWindow {
  /** Seconds of work before it. */
  readonly start: number;
  readonly seconds: number;
  /** Work of the window over its time: flop/s or op/s. */
  readonly rate: number;
}

/** What a kernel does in its first seconds, and what is left of it after a minute. */
export interface Sustained {
  readonly precision: Precision;
  readonly burst: Estimate<'flop/s' | 'op/s'>;
  readonly sustained: Estimate<'flop/s' | 'op/s'>;
  /** sustained / burst: under 1 where clocks fell as the device warmed. */
  readonly ratio: number;
  /** All of the run, in order. */
  readonly windows: readonly SustainedWindow[];
}

/** Burst is the first twentieth of the time (3 s of a minute), sustained the last third of it. */
const burstShare = 1 / 20;
const sustainedShare = 1 / 3;
const windows = 60;

/**
 * Burst against sustained rate of the longest run of one kernel: medians over the repeats of the
 * first twentieth and the last third of its time. Samples of one kernel follow each other in time.
 * Undefined without samples.
 */
export function sustainedOf(samples: readonly SampleOf<'sustained'>[]): Sustained | undefined {
  const [longest] = byVariant(samples).toSorted((a, b) => totalSeconds(b) - totalSeconds(a));
  if (longest === undefined) return undefined;
  const { precision } = longest[0]!.measured;
  const repeats = repeatsOf(longest);
  const total = totalSeconds(longest);
  const early = repeats.filter(({ start }) => start <= total * burstShare);
  const late = repeats.filter(({ start }) => start >= total * (1 - sustainedShare));
  // Of fewer repeats than that the last stands for the end.
  const ending = late.length > 0 ? late : repeats.slice(-1);
  const estimate = (part: readonly Repeat[]): Sustained['burst'] => {
    const rates = part.map(({ work, seconds }) => work / seconds);
    // How the rate changes over the whole run is the result, and no noise of a part's.
    const flags = [...new Set(longest.flatMap((sample) => sample.flags)), ...noiseFlags(rates)];
    const { variant, timer } = pooledRates(longest);
    const interval = medianInterval(rates);
    return rateEstimate(
      { variant, timer, interval, samples: rates.length, flags },
      `${operationOf(precision)}/s`,
    );
  };
  const burst = estimate(early);
  const sustained = estimate(ending);
  return {
    precision,
    burst,
    sustained,
    ratio: sustained.value / burst.value,
    windows: windowsOf(repeats, total / windows),
  };
}

interface Repeat {
  readonly start: number;
  readonly seconds: number;
  readonly work: number;
}

function totalSeconds(samples: readonly SampleOf<'sustained'>[]): number {
  return samples.flatMap(({ seconds }) => seconds).reduce((sum, time) => sum + time, 0);
}

function repeatsOf(samples: readonly SampleOf<'sustained'>[]): Repeat[] {
  let start = 0;
  return samples.flatMap(({ measured, seconds }) =>
    seconds.map((time) => {
      const repeat = { start, seconds: time, work: measured.flops };
      start += time;
      return repeat;
    }),
  );
}

/** Joins consecutive repeats until each window is as long as wanted. */
function windowsOf(repeats: readonly Repeat[], wanted: number): SustainedWindow[] {
  const found: SustainedWindow[] = [];
  let open: Repeat | undefined;
  for (const repeat of repeats) {
    open = open
      ? { ...open, seconds: open.seconds + repeat.seconds, work: open.work + repeat.work }
      : repeat;
    if (open.seconds < wanted * (1 - 1e-9)) continue;
    found.push(windowOf(open));
    open = undefined;
  }
  return open ? [...found, windowOf(open)] : found;
}

function windowOf({ start, seconds, work }: Repeat): SustainedWindow {
  return { start, seconds, rate: work / seconds };
}
