import type { OpCost } from '../nn/cost.ts';
import type { StepTiming } from '../run/events.ts';
import { medianInterval, type MedianInterval } from '../stats/interval.ts';
import { median } from '../stats/median.ts';
import { attainable } from './attainable.ts';
import { leastTime } from './bound.ts';
import { flags, servedBy } from './flags.ts';
import { areTimes, intervalFlags } from './rates.ts';
import type { Precision } from './sample.ts';
import type { Roofline, TrajectoryPoint } from './types.ts';

/** The work of a point: in sum, and call by call for its least time. */
export interface PointWork {
  readonly flops: number;
  readonly executedFlops: number;
  readonly bytes: { readonly algorithmic: number; readonly issued?: number };
  readonly calls: readonly OpCost[];
}

/** What was measured at a point: a whole step, or the calls of one kind. */
export interface PointTime {
  readonly value: number;
  /** Images a step. */
  readonly batch: number;
  readonly precision: Precision;
  readonly interval: MedianInterval;
  /** Times that the interval rests on. */
  readonly samples: number;
  readonly compileSeconds?: number;
  readonly coldSeconds?: number;
  /** Share of the step's time; absent for the step itself. */
  readonly timeShare?: number;
}

/**
 * One point of a trajectory from the steps that timed it (all of one value). `work` is undefined
 * where the model is unknown; `roofline` where the device's was not measured.
 */
export function pointOf(
  steps: readonly StepTiming[],
  work: PointWork | undefined,
  roofline: Roofline | undefined,
): TrajectoryPoint {
  const first = steps[0]!;
  const good = steps.filter(isTimed);
  if (work === undefined) {
    const reason = `this version has no model "${first.model}", so the work of a step is unknown`;
    return absentPoint(first.value, 'failed', reason, work);
  }
  if (good.length === 0) {
    const status = first.status === 'skipped' ? 'skipped' : 'failed';
    return absentPoint(first.value, status, first.reason ?? 'no step was timed', work);
  }
  const { value, batch, precision, coldSeconds, compileSeconds } = good[0]!;
  const times = good.flatMap(({ seconds }) => seconds);
  const interval = medianInterval(times);
  const time = {
    value,
    batch,
    precision,
    ...(compileSeconds !== undefined && { compileSeconds }),
    coldSeconds,
    interval,
    samples: times.length,
  };
  const barrierShare = shareOf(good, ({ barrierSeconds }) => barrierSeconds);
  const allReduceShare = shareOf(good, ({ allReduceSeconds }) => allReduceSeconds);
  return {
    ...measuredPoint(time, work, roofline),
    ...(barrierShare !== undefined && { barrierShare }),
    ...(allReduceShare !== undefined && { allReduceShare }),
  };
}

/** The median share of a step that was spent on something; undefined where that was not timed. */
function shareOf(
  steps: readonly StepTiming[],
  timesOf: (step: StepTiming) => readonly number[] | undefined,
): number | undefined {
  const shares = steps.flatMap((step) => {
    const times = timesOf(step);
    if (times?.length !== step.seconds.length) return [];
    return times.map((time, at) => time / step.seconds[at]!);
  });
  return shares.length === 0 ? undefined : median(shares);
}

/** Whether a step's times are evidence. */
export function isTimed({ status, seconds }: StepTiming): boolean {
  return status === 'ok' && areTimes(seconds);
}

/** A good point: rates from the median time, the roof from the calls. Above a roof it is flagged. */
export function measuredPoint(
  { value, batch, precision, interval, samples, compileSeconds, coldSeconds, timeShare }: PointTime,
  { flops, executedFlops, bytes, calls }: PointWork,
  roofline: Roofline | undefined,
): TrajectoryPoint {
  const seconds = interval.median;
  const flopsPerSecond = executedFlops / seconds;
  const intensity = executedFlops / bytes.algorithmic;
  const least = roofline && leastTime(calls, roofline, precision);
  const roof = roofline && attainable(roofline, intensity, precision);
  const fastest = fastestBandwidth(roofline);
  return {
    value,
    status: 'ok',
    flops,
    executedFlops,
    bytes,
    seconds,
    ciLow: interval.low,
    ciHigh: interval.high,
    samples,
    ...(compileSeconds !== undefined && { compileSeconds }),
    ...(coldSeconds !== undefined && { coldSeconds }),
    ...(timeShare !== undefined && { timeShare }),
    flopsPerSecond,
    intensity,
    imagesPerSecond: batch / seconds,
    ...(least && { roofFraction: least.seconds / seconds, bound: least.bound }),
    ...(fastest > 0 &&
      bytes.issued !== undefined && { loadFraction: bytes.issued / seconds / fastest }),
    flags: [
      ...intervalFlags(interval),
      ...(least && least.seconds > seconds ? [flags.aboveRoof] : []),
      ...(least && roof !== undefined && flopsPerSecond > roof ? least.servedBy.map(servedBy) : []),
    ],
  };
}

/** byte/s; 0 where none was measured. */
export function fastestBandwidth(roofline: Roofline | undefined): number {
  return Math.max(0, ...(roofline?.bandwidth ?? []).map(({ value }) => value));
}

/** A good point with its fraction of the roof of the threads that it ran on. */
export function withThreadsRoof(
  point: TrajectoryPoint,
  work: PointWork | undefined,
  roofline: Roofline | undefined,
): TrajectoryPoint {
  const least = work && roofline && leastTime(work.calls, roofline, 'f32');
  if (point.status !== 'ok' || least === undefined) return point;
  return { ...point, threadsRoofFraction: least.seconds / point.seconds };
}

/** A point without a measurement: what is known of its work, and why there is no more. */
export function absentPoint(
  value: number,
  status: 'failed' | 'skipped',
  reason: string,
  work: PointWork | undefined,
): TrajectoryPoint {
  const flops = work?.flops ?? 0;
  const executedFlops = work?.executedFlops ?? 0;
  const algorithmic = work?.bytes.algorithmic ?? 0;
  return {
    value,
    status,
    reason,
    flops,
    executedFlops,
    bytes: { algorithmic },
    seconds: 0,
    ciLow: 0,
    ciHigh: 0,
    samples: 0,
    flopsPerSecond: 0,
    intensity: algorithmic > 0 ? executedFlops / algorithmic : 0,
    imagesPerSecond: 0,
    flags: [],
  };
}
