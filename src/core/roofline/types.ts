import type { DeviceKind } from '../run/config.ts';
import type { SweepParameter } from '../run/config.ts';
import type { Precision, TimerSource } from './sample.ts';

/** A measured limit with its 95 % confidence interval. Field names are those of the summary file. */
export interface Ceiling {
  /** Unique within its roofline, e.g. `compute.f32`, `bandwidth.memory`, `compute.f32.1thread`. */
  readonly id: string;
  /** For people, e.g. `f32 FMA`, `memory`. */
  readonly label: string;
  readonly precision?: Precision;
  /** Memory level, `L1` innermost ... `memory` outermost; bandwidth ceilings only. */
  readonly level?: string;
  /** Estimated capacity of the level; absent for the outermost. */
  readonly capacityBytes?: number;
  readonly value: number;
  readonly unit: 'flop/s' | 'op/s' | 'byte/s';
  readonly ciLow: number;
  readonly ciHigh: number;
  /** The winning variant. */
  readonly variant: string;
  readonly timer: TimerSource;
  /** Raw times that the interval rests on. */
  readonly samples: number;
  readonly threads?: number;
  readonly flags: readonly string[];
}

export interface RidgePoint {
  /** Ids of the ceilings that meet here. */
  readonly compute: string;
  readonly bandwidth: string;
  /** flop/byte */
  readonly intensity: number;
}

/** A device's ceilings. On the CPU there is one roofline per thread count. */
export interface Roofline {
  readonly device: DeviceKind;
  readonly deviceId: string;
  readonly threads?: number;
  /** Best first. */
  readonly compute: readonly Ceiling[];
  /** Innermost level first, main memory last. */
  readonly bandwidth: readonly Ceiling[];
  readonly ridge: readonly RidgePoint[];
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
  readonly coldSeconds?: number;
  readonly flopsPerSecond: number;
  /** flop/byte, from executed flops and algorithmic bytes. */
  readonly intensity: number;
  readonly imagesPerSecond: number;
  /** Least possible time over measured time; absent without a roofline. Above 1 is flagged. */
  readonly roofFraction?: number;
  /** Split of the least possible time into compute-bound and memory-bound calls; sums to 1. */
  readonly bound?: { readonly compute: number; readonly memory: number };
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
  readonly model: string;
  readonly scope: 'step';
  readonly precision: 'f32';
  readonly parameter: SweepParameter;
  readonly fixed: {
    readonly batch?: number;
    readonly workgroups?: number;
    readonly workgroupSize?: number;
    readonly threads?: number;
    readonly replicas?: number;
    readonly scaling?: 'strong' | 'weak';
  };
  readonly points: readonly TrajectoryPoint[];
  readonly segments: readonly TrajectorySegment[];
  /** Absent where the sweep ended before the rate levelled off. */
  readonly saturation?: Saturation;
  /** Absent without a good point. */
  readonly optimum?: Optimum;
}
