import type { OpGroup } from '../nn/opGroups.ts';
import type { DeviceKind, SweepParameter } from '../run/config.ts';
import type { Capacity } from './capacity.ts';
import type { Estimate } from './estimate.ts';
import type { Extra, Overheads, Transfer } from './figures.ts';
import type { Knee } from './knee.ts';
import type { Latency } from './latency.ts';
import type { Precision } from './sample.ts';
import type { Sustained } from './sustained.ts';

/** A measured limit with its 95 % confidence interval. Field names are those of the summary file. */
export interface Ceiling extends Estimate<'flop/s' | 'op/s' | 'byte/s'>, Partial<Capacity> {
  /** Unique within its roofline, e.g. `compute.f32`, `bandwidth.memory`, `compute.f32.1thread`. */
  readonly id: string;
  /** For people, e.g. `f32 FMA`, `memory`. */
  readonly label: string;
  readonly precision?: Precision;
  /** Memory level, `L1` innermost ... `memory` outermost; bandwidth ceilings only. */
  readonly level?: string;
  /** In place of the capacity, of a level that compute units have one each of: what one workgroup can keep there. */
  readonly workgroupCapacityBytes?: number;
  readonly threads?: number;
}

export interface RidgePoint {
  /** Ids of the ceilings that meet here. */
  readonly compute: string;
  readonly bandwidth: string;
  readonly intensity: number;
  /** Integers do no floating-point operations. */
  readonly unit: 'flop/byte' | 'op/byte';
}

/** A device's ceilings. On the CPU there is one roofline per thread count. */
export interface Roofline {
  readonly device: DeviceKind;
  readonly deviceId: string;
  readonly threads?: number;
  /** Best first. */
  readonly compute: readonly Ceiling[];
  /** Fastest first, main memory last. */
  readonly bandwidth: readonly Ceiling[];
  /** The roof's own, of the best f32 ceiling and main memory, first. */
  readonly ridge: readonly RidgePoint[];
  /** Of every working set that was chased, rising. */
  readonly latency?: readonly Latency[];
  readonly overheads?: Overheads;
  readonly knee?: Knee;
  readonly sustained?: Sustained;
  readonly extras?: readonly Extra[];
  readonly transfer?: Transfer;
}

export interface TrajectoryPoint {
  /** Value of the trajectory's parameter. */
  readonly value: number;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly reason?: string;
  readonly flops: number;
  readonly executedFlops: number;
  readonly bytes: { readonly algorithmic: number; readonly issued?: number };
  /** Median of the warm steps; NaN-free: absent points have status other than `ok` and 0 here. */
  readonly seconds: number;
  readonly ciLow: number;
  readonly ciHigh: number;
  /** Warm steps that the interval rests on. */
  readonly samples: number;
  readonly compileSeconds?: number;
  readonly coldSeconds?: number;
  readonly flopsPerSecond: number;
  /** flop/byte, from executed flops and algorithmic bytes. */
  readonly intensity: number;
  readonly imagesPerSecond: number;
  /** Median shares of a step on a CPU: threads waiting at barriers, replicas averaging gradients. */
  readonly barrierShare?: number;
  readonly allReduceShare?: number;
  /** Share of the time of all calls; absent for the whole step. */
  readonly timeShare?: number;
  /** Least possible time over measured time; absent without a roofline. Above 1 is flagged. */
  readonly roofFraction?: number;
  /**
   * The same against the ceilings of as many threads as the step ran on; absent where those are the
   * whole device's or were not measured.
   */
  readonly threadsRoofFraction?: number;
  /** Split of the least possible time into compute-bound and memory-bound calls; sums to 1. */
  readonly bound?: { readonly compute: number; readonly memory: number };
  /** Issued bytes/s over the fastest bandwidth ceiling; absent where loads were not counted. */
  readonly loadFraction?: number;
  readonly flags: readonly string[];
}

/** What a segment's motion says; docs/method/statistics-and-roofs.md has the table. */
export type ReadingKind =
  | 'no-change'
  | 'saturated'
  | 'ideal'
  | 'lost-parallelism'
  | 'reuse'
  | 'extra-traffic'
  | 'bandwidth-bound'
  | 'compute-bound'
  | 'load-limited'
  | 'latency'
  | 'amortised'
  | 'regression';

/** From one good point to the next; changes are differences of natural logarithms. */
export interface TrajectorySegment {
  readonly from: number;
  readonly to: number;
  /** Change in log intensity. */
  readonly locality: number;
  /** Change in log bytes/s; locality + throughput = change in log flop/s. */
  readonly throughput: number;
  /** d log P / d log parameter */
  readonly efficiency: number;
  /** Half-width of the 95 % interval of the change in log flop/s; absent after a single time. */
  readonly noise?: number;
  readonly kind: ReadingKind;
  /** `kind` in words; begins with `no change` where the change is within the noise. */
  readonly reading: string;
}

/** Where growing the parameter stops to pay: its smallest value within 5 % of the best rate. */
export interface Saturation {
  readonly value: number;
  /** The range in which that value may lie, by the 95 % intervals. */
  readonly earliest: number;
  readonly latest: number;
}

export interface Optimum {
  /** Value of the parameter with the highest rate. */
  readonly value: number;
  /** Other values whose intervals overlap the best one's. */
  readonly tied: readonly number[];
}

export interface Trajectory {
  readonly device: DeviceKind;
  readonly deviceId: string;
  /** Along depth and width: the models' family. */
  readonly model: string;
  /** The whole step, or the calls of one kind of op. */
  readonly scope: 'step' | OpGroup;
  readonly precision: 'f32';
  readonly parameter: SweepParameter;
  readonly fixed: {
    readonly batch?: number;
    readonly workgroups?: number;
    readonly workgroupSize?: number;
    readonly threads?: number;
    readonly replicas?: number;
    readonly depth?: number;
    readonly width?: number;
    readonly scaling?: 'strong' | 'weak';
  };
  readonly points: readonly TrajectoryPoint[];
  readonly segments: readonly TrajectorySegment[];
  /** Absent where the sweep ended before the rate levelled off. */
  readonly saturation?: Saturation;
  /** Absent without a good point. */
  readonly optimum?: Optimum;
}
