import type { SweepParameter } from '../run/config.ts';
import { noiseOfChange } from './noise.ts';
import type { ReadingKind, Trajectory, TrajectorySegment } from './types.ts';

/** A point as the analysis of motion needs it; a published trajectory has no more. */
export interface MotionPoint {
  /** Value of the growing parameter. */
  readonly value: number;
  /** flop/byte */
  readonly intensity: number;
  readonly flopsPerSecond: number;
  /** 95 % interval of flopsPerSecond; [min, max] below six samples. */
  readonly low: number;
  readonly high: number;
  /** Times behind the interval; absent where it is a full one. */
  readonly samples?: number;
  /** Share of the roof that is reached; absent without a roofline. */
  readonly roofFraction?: number | undefined;
  /** Share of the least possible time that is memory's; absent without a roofline. */
  readonly memoryShare?: number | undefined;
  /** Issued bytes/s over the fastest bandwidth ceiling; absent where loads were not counted. */
  readonly loadFraction?: number | undefined;
}

/** What grows: the hardware that is used, or the work that it is given. */
export type Growth = 'parallelism' | 'work';

export function growthOf(parameter: SweepParameter): Growth {
  switch (parameter) {
    case 'workgroups':
    case 'workgroupSize':
    case 'threads':
    case 'replicas':
      return 'parallelism';
    case 'batch':
    case 'depth':
    case 'width':
      return 'work';
  }
}

/** Whether more parallelism shares the same work, or work grows along with it. */
export type Scaling = NonNullable<Trajectory['fixed']['scaling']>;

const readingTexts = {
  'no-change': 'no change',
  saturated: 'saturated',
  'lost-parallelism': 'lost parallelism',
  reuse: 'reuse gained',
  'extra-traffic': 'extra traffic',
  'bandwidth-bound': 'bandwidth-bound, saturated',
  'compute-bound': 'saturated at the compute roof',
  'load-limited': 'limited by loads and stores, saturated',
  latency: 'latency, overhead or missing instruction-level parallelism',
  amortised: 'occupancy gained or overhead amortised',
  regression: 'regression',
} as const satisfies Record<Exclude<ReadingKind, 'ideal'>, string>;

/** Scaling efficiency from which on growth is ideal, and below which it has ended. */
const idealEfficiency = 0.85;
const saturatedEfficiency = 0.15;
/** Fraction of the roof from which on a point is at it. */
export const atRoof = 0.8;
/** Fraction of the innermost bandwidth from which on the code's own loads and stores are the limit. */
const atLoadLimit = 0.7;
/** A change of intensity below 2 % is none: it is computed, so this is no noise but relevance. */
const stillIntensity = 0.02;
/** Intensity that rises by less than 5 % explains nothing where speed stands still. */
const idleReuse = 0.05;
/** Along a bandwidth diagonal, bytes/s carry at most this share of the rise. */
const diagonalThroughput = 0.15;

/**
 * The segments of a trajectory: each from one point to the next, points in the order given.
 *
 * All changes are differences of natural logarithms. Since P = intensity x (bytes/s), the change
 * in log P is exactly locality (change in log intensity) + throughput (change in log bytes/s).
 * Efficiency is d log P / d log parameter. Source of the motion's reading: Javed, Ibrahim and Lu,
 * Performance analysis of deep learning workloads using roofline trajectories, CCF THPC 1, 2019
 * (after Ibrahim, Williams and Oliker, Roofline scaling trajectories, 2018).
 */
export function segments(
  points: readonly MotionPoint[],
  growth: Growth,
  scaling: Scaling = 'strong',
): TrajectorySegment[] {
  return points.slice(1).map((to, index) => segment(points[index]!, to, growth, scaling));
}

function segment(
  from: MotionPoint,
  to: MotionPoint,
  growth: Growth,
  scaling: Scaling,
): TrajectorySegment {
  const locality = Math.log(to.intensity) - Math.log(from.intensity);
  const throughput = logBytesPerSecond(to) - logBytesPerSecond(from);
  const motion: Motion = {
    locality,
    throughput,
    performance: Math.log(to.flopsPerSecond) - Math.log(from.flopsPerSecond),
    efficiency: (locality + throughput) / (Math.log(to.value) - Math.log(from.value)),
    noise: noiseOfChange(from, to),
  };
  const kind = readMotion(motion, to, growth);
  return {
    from: from.value,
    to: to.value,
    locality,
    throughput,
    efficiency: motion.efficiency,
    ...(Number.isFinite(motion.noise) && { noise: motion.noise }),
    kind,
    reading: readingText(kind, motion, scaling),
  };
}

interface Motion {
  readonly locality: number;
  readonly throughput: number;
  /** Change in log flop/s. */
  readonly performance: number;
  readonly efficiency: number;
  /** Half-width of the 95 % interval of `performance`. */
  readonly noise: number;
}

function logBytesPerSecond(point: MotionPoint): number {
  return Math.log(point.flopsPerSecond / point.intensity);
}

/** The table of motions in docs/method/statistics-and-roofs.md, first fitting row. */
function readMotion(motion: Motion, to: MotionPoint, growth: Growth): ReadingKind {
  const { locality, throughput, performance, efficiency, noise } = motion;
  if (performance < -noise) {
    return locality < -stillIntensity && -locality >= -performance / 2
      ? 'extra-traffic'
      : 'regression';
  }
  const rises = performance > noise && efficiency >= saturatedEfficiency;
  // Also where intensity falls: replicas that split a batch read weights each, as they have to.
  if (rises && growth === 'parallelism') {
    return efficiency >= idealEfficiency ? 'ideal' : 'lost-parallelism';
  }
  if (locality < -stillIntensity) return 'extra-traffic';
  if (!rises) {
    const state = saturation(motion, to);
    return locality > idleReuse && !isAtRoof(to) ? 'reuse' : state;
  }
  const alongDiagonal = Math.abs(throughput) <= Math.max(noise, diagonalThroughput * performance);
  if (alongDiagonal && isAtRoof(to) && isMemoryBound(to)) return 'bandwidth-bound';
  return locality >= throughput ? 'reuse' : 'amortised';
}

/** What holds a point that rises no more. */
function saturation({ performance, noise }: Motion, to: MotionPoint): ReadingKind {
  if (to.roofFraction === undefined) {
    return Math.abs(performance) <= noise ? 'no-change' : 'saturated';
  }
  if (!isAtRoof(to)) return (to.loadFraction ?? 0) >= atLoadLimit ? 'load-limited' : 'latency';
  return isMemoryBound(to) ? 'bandwidth-bound' : 'compute-bound';
}

function isAtRoof({ roofFraction }: MotionPoint): boolean {
  return roofFraction !== undefined && roofFraction >= atRoof;
}

function isMemoryBound({ memoryShare }: MotionPoint): boolean {
  return memoryShare !== undefined && memoryShare >= 0.5;
}

/** The reading in words; a change within the noise is called no change, whatever holds the point. */
function readingText(kind: ReadingKind, { performance, noise }: Motion, scaling: Scaling): string {
  if (kind === 'ideal') return `ideal ${scaling} scaling`;
  const text = readingTexts[kind];
  if (Math.abs(performance) > noise || kind === 'no-change' || kind === 'extra-traffic')
    return text;
  return kind === 'reuse' ? `${text}, no faster` : `${readingTexts['no-change']}: ${text}`;
}
