import { groupBy } from '../groupBy.ts';
import type { DeviceKind } from '../run/config.ts';
import { flags } from './flags.ts';
import type { LatencyPoint } from './latencyLevels.ts';
import { levelNames } from './levelNames.ts';
import { findLevels, type MemoryLevel, type SweepPoint } from './levels.ts';
import {
  byVariant,
  fastest,
  intervalFlags,
  pooledRates,
  type SampleOf,
  type VariantRates,
} from './rates.ts';
import type { Ceiling } from './types.ts';

/** Level detection takes time in the square of the points, and a file may hold any number. */
const mostPoints = 128;

type BandwidthSample = SampleOf<'bandwidth'>;

/** Working sets in bytes, from the smallest to the largest. */
type Range = Pick<MemoryLevel, 'smallest' | 'largest'>;

/**
 * One ceiling a memory level, innermost first. Levels are found in the envelope of all patterns;
 * a level's roof is the fastest pattern and variant over its plateau, the last one's over the last octave
 * of the sweep. `latencyPoints` tell levels of
 * equal bandwidth apart. All samples are of one device and thread count.
 */
export function bandwidthCeilings(
  samples: readonly BandwidthSample[],
  device: DeviceKind,
  latencyPoints: readonly LatencyPoint[] = [],
): Ceiling[] {
  const levels = findLevels(envelope(samples), latencyPoints);
  const threads = samples[0]?.threads;
  const capacities = levels.map(({ capacity }) => capacity?.capacityBytes);
  const names = levelNames(capacities, device, threads ?? 1);
  const stopped = isStopped(samples);
  return levels.flatMap((level, index) => {
    const isLast = index === levels.length - 1;
    const best = fastestOn(isLast ? lastOctave(level, samples) : level, samples);
    if (best === undefined) return [];
    const name = names[index]!;
    return [
      {
        id: `bandwidth.${name.replace(' ', '')}`,
        label: name,
        level: name,
        ...level.capacity,
        value: best.interval.median,
        unit: 'byte/s' as const,
        ciLow: best.interval.low,
        ciHigh: best.interval.high,
        variant: best.variant,
        timer: best.timer,
        samples: best.samples,
        ...(threads !== undefined && { threads }),
        flags: [
          ...best.flags.filter((flag) => !isLimit(flag)),
          ...intervalFlags(best.interval),
          ...(level.settled ? [] : [flags.stillFalling]),
          ...(stopped && isLast ? [flags.possiblyCacheResident] : []),
        ],
      },
    ];
  });
}

/** Whether a sample is of storage or memory that all workgroups or threads share, in addresses of their own. */
export function isShared({ measured }: BandwidthSample): boolean {
  const { sweep, addresses, space } = measured;
  return sweep !== 'private' && addresses !== 'broadcast' && space === undefined;
}

/** Whether a limit stopped the sweep: that of the pattern that came furthest. */
function isStopped(samples: readonly BandwidthSample[]): boolean {
  const most = largest(samples.map(({ measured }) => measured.workingSetSize));
  return samples.some(
    ({ measured, flags: own }) => measured.workingSetSize * 1.1 >= most && own.some(isLimit),
  );
}

/** Whether a flag says that a limit stopped a sweep. */
function isLimit(flag: string): boolean {
  return flag === flags.bufferLimit || flag === flags.timeLimit;
}

/**
 * The best rate at each working set. Patterns touch unlike numbers of arrays and so need not share
 * working sets: each variant's curve is read off, between its own points, at the working sets of
 * the longest sweep.
 */
export function envelope(samples: readonly BandwidthSample[]): SweepPoint[] {
  const curves = byVariant(samples).map(curveOf);
  const grid = curves.reduce<readonly SweepPoint[]>(
    (longest, curve) => (curve.length > longest.length ? curve : longest),
    [],
  );
  return thinned(grid).map(({ workingSetSize }) => ({
    workingSetSize,
    bytesPerSecond: largest(curves.map((curve) => rateAt(curve, workingSetSize))),
  }));
}

/** At most `mostPoints`, evenly picked, the last among them: no sweep of ours has more. */
export function thinned<Point>(points: readonly Point[]): readonly Point[] {
  const stride = Math.ceil(points.length / mostPoints);
  return points.filter((_, index) => (points.length - 1 - index) % stride === 0);
}

/** One variant's median rate at each of its working sets, rising. */
function curveOf(samples: readonly BandwidthSample[]): SweepPoint[] {
  return groupBy(samples, ({ measured }) => measured.workingSetSize)
    .map((group) => ({
      workingSetSize: group[0]!.measured.workingSetSize,
      bytesPerSecond: pooledRates(group).interval.median,
    }))
    .toSorted((a, b) => a.workingSetSize - b.workingSetSize);
}

/** Log-log interpolation; 0 outside the curve. */
function rateAt(curve: readonly SweepPoint[], size: number): number {
  const after = curve.findIndex(({ workingSetSize }) => workingSetSize >= size);
  if (after < 0) return 0;
  const high = curve[after]!;
  if (high.workingSetSize === size) return high.bytesPerSecond;
  const low = curve[after - 1];
  if (low === undefined) return 0;
  const share =
    Math.log(size / low.workingSetSize) / Math.log(high.workingSetSize / low.workingSetSize);
  return low.bytesPerSecond * (high.bytesPerSecond / low.bytesPerSecond) ** share;
}

/**
 * Where the last level's roof is read: over the last octave of the sweep, which lies furthest from any
 * cache, whether or not the plateau goes on that far. The set at its beginning is left out: races are held
 * there, of which some variants have more times than others, and a cache holds more of it.
 */
function lastOctave(level: MemoryLevel, samples: readonly BandwidthSample[]): Range {
  const end = largest(samples.map(({ measured }) => measured.workingSetSize));
  return { smallest: Math.max(level.smallest, 1.01 * (end / 2)), largest: end };
}

/** The fastest variant over a range of working sets, of those measured on at least half of it. */
function fastestOn(range: Range, samples: readonly BandwidthSample[]): VariantRates | undefined {
  const within = samples.filter(
    ({ measured: { workingSetSize } }) =>
      workingSetSize >= range.smallest * 0.999 && workingSetSize <= range.largest * 1.001,
  );
  const variants = byVariant(within);
  const lengths = variants.map(
    (variant) => new Set(variant.map(({ measured }) => measured.workingSetSize)).size,
  );
  const longest = largest(lengths);
  const covering = variants.filter((_, index) => lengths[index]! * 2 >= longest);
  return fastest(covering.map(pooledRates));
}

/** Without spreading: a file may hold more values than a call takes arguments. */
function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
