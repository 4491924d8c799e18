import type { OpCost } from '../nn/cost.ts';
import { computeRoof, memoryRoof } from './attainable.ts';
import type { Precision } from './sample.ts';
import type { Ceiling, Roofline } from './types.ts';

/** The least time in which a device could do a list of kernel calls. */
export interface LeastTime {
  readonly seconds: number;
  /** Shares of `seconds` in calls bound by arithmetic and by memory; they sum to 1. */
  readonly bound: { readonly compute: number; readonly memory: number };
  /** Inner memory levels that serve calls, by falling share of `seconds`. */
  readonly servedBy: readonly string[];
}

/** The least time of one call, and what sets it. */
export interface CallBound {
  readonly seconds: number;
  readonly by: 'compute' | 'memory';
  /** The level that serves the call's bytes. */
  readonly level: Ceiling;
  /** Whether that is an inner level: the call fits in half of it. */
  readonly isInner: boolean;
}

/**
 * max(executedFlops / P, bytes / B) of one call. P is the best ceiling of the precision; B is the
 * last memory level's, unless the call's bytes fit in half of an inner level.
 *
 * Undefined where the roofline lacks the precision or bandwidth.
 */
export function callBound(
  call: OpCost,
  roofline: Roofline,
  precision: Precision,
): CallBound | undefined {
  const compute = computeRoof(roofline, precision);
  const last = memoryRoof(roofline);
  if (compute === undefined || last === undefined) return undefined;
  const inner = servingLevel(call.bytes.algorithmic, roofline.bandwidth);
  const level = inner ?? last;
  const arithmeticTime = call.executedFlops / compute.value;
  const memoryTime = call.bytes.algorithmic / level.value;
  return {
    seconds: Math.max(arithmeticTime, memoryTime),
    by: arithmeticTime >= memoryTime ? 'compute' : 'memory',
    level,
    isInner: inner !== undefined && inner !== last,
  };
}

/**
 * Sum over the calls of their bounds. A sum of calls of unlike intensities takes longer than its
 * mean intensity on one roof would say.
 *
 * Undefined where the roofline lacks the precision or bandwidth.
 * Source: the time-based view of Wang et al., Time-based roofline for deep learning performance
 * analysis, 2020 (arXiv:2009.04598).
 */
export function leastTime(
  calls: readonly OpCost[],
  roofline: Roofline,
  precision: Precision,
): LeastTime | undefined {
  const bounds = calls.map((call) => callBound(call, roofline, precision));
  let [seconds, computeSeconds] = [0, 0];
  const inner = new Map<string, number>();
  for (const bound of bounds) {
    if (bound === undefined) return undefined;
    seconds += bound.seconds;
    if (bound.by === 'compute') computeSeconds += bound.seconds;
    if (bound.isInner)
      inner.set(bound.level.label, (inner.get(bound.level.label) ?? 0) + bound.seconds);
  }
  const compute = seconds === 0 ? 0 : computeSeconds / seconds;
  return {
    seconds,
    bound: { compute, memory: 1 - compute },
    servedBy: [...inner].toSorted(([, a], [, b]) => b - a).map(([label]) => label),
  };
}

/** The innermost level of whose capacity the footprint fills less than half. */
function servingLevel(footprint: number, levels: readonly Ceiling[]): Ceiling | undefined {
  return levels.find(({ capacityBytes }) => footprint * 2 < (capacityBytes ?? 0));
}
