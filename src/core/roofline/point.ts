import type { PlanCost } from '../nn/cost.ts';
import type { StepTiming } from '../run/events.ts';
import { medianInterval } from '../stats/interval.ts';
import { attainable } from './attainable.ts';
import { leastTime } from './bound.ts';
import { flags, servedBy } from './flags.ts';
import { areTimes, intervalFlags } from './rates.ts';
import type { Roofline, TrajectoryPoint } from './types.ts';

/**
 * One point of a trajectory from the steps that timed it (all of one value). `cost` is undefined
 * where the model is unknown; `roofline` where the device's was not measured.
 */
export function pointOf(
  steps: readonly StepTiming[],
  cost: PlanCost | undefined,
  roofline: Roofline | undefined,
): TrajectoryPoint {
  const first = steps[0]!;
  const good = steps.filter(({ status, seconds }) => status === 'ok' && areTimes(seconds));
  if (cost === undefined) {
    const reason = `this version has no model "${first.model}", so the work of a step is unknown`;
    return absentPoint(first.value, 'failed', reason, cost);
  }
  if (good.length === 0) {
    const status = first.status === 'skipped' ? 'skipped' : 'failed';
    return absentPoint(first.value, status, first.reason ?? 'no step was timed', cost);
  }
  return goodPoint(good, cost, roofline);
}

function goodPoint(
  steps: readonly StepTiming[],
  cost: PlanCost,
  roofline: Roofline | undefined,
): TrajectoryPoint {
  const { value, batch, coldSeconds, precision } = steps[0]!;
  const times = steps.flatMap((step) => step.seconds);
  const interval = medianInterval(times);
  const seconds = interval.median;
  const flopsPerSecond = cost.executedFlops / seconds;
  const intensity = cost.executedFlops / cost.bytes.algorithmic;
  const least = roofline && leastTime(cost.ops, roofline, precision);
  const roof = roofline && attainable(roofline, intensity, precision);
  return {
    value,
    status: 'ok',
    flops: cost.flops,
    executedFlops: cost.executedFlops,
    bytes: cost.bytes,
    seconds,
    ciLow: interval.low,
    ciHigh: interval.high,
    samples: times.length,
    coldSeconds,
    flopsPerSecond,
    intensity,
    imagesPerSecond: batch / seconds,
    ...(least && { roofFraction: least.seconds / seconds, bound: least.bound }),
    flags: [
      ...intervalFlags(interval),
      ...(least && least.seconds > seconds ? [flags.aboveRoof] : []),
      ...(least && roof !== undefined && flopsPerSecond > roof ? least.servedBy.map(servedBy) : []),
    ],
  };
}

/** A point without a measurement: what is known of its work, and why there is no more. */
export function absentPoint(
  value: number,
  status: 'failed' | 'skipped',
  reason: string,
  cost: PlanCost | undefined,
): TrajectoryPoint {
  const flops = cost?.flops ?? 0;
  const executedFlops = cost?.executedFlops ?? 0;
  const algorithmic = cost?.bytes.algorithmic ?? 0;
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
