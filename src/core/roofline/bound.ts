import type { OpCost } from '../nn/cost.ts';
import { computeRoof } from './attainable.ts';
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

/**
 * Sum over the calls of max(executedFlops / P, bytes / B). P is the best ceiling of the precision;
 * B is the last memory level's, unless the call's bytes fit in half of an inner level. A sum of
 * calls of unlike intensities takes longer than its mean intensity on one roof would say.
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
  const compute = computeRoof(roofline, precision);
  const last = roofline.bandwidth.at(-1);
  if (compute === undefined || last === undefined) return undefined;
  let computeSeconds = 0;
  let memorySeconds = 0;
  const inner = new Map<string, number>();
  for (const call of calls) {
    const memory: Ceiling = servingLevel(call.bytes.algorithmic, roofline.bandwidth) ?? last;
    const arithmeticTime = call.executedFlops / compute.value;
    const memoryTime = call.bytes.algorithmic / memory.value;
    if (arithmeticTime >= memoryTime) computeSeconds += arithmeticTime;
    else memorySeconds += memoryTime;
    if (memory !== last) {
      const time = Math.max(arithmeticTime, memoryTime);
      inner.set(memory.label, (inner.get(memory.label) ?? 0) + time);
    }
  }
  const seconds = computeSeconds + memorySeconds;
  return {
    seconds,
    bound: { compute: computeSeconds / seconds, memory: memorySeconds / seconds },
    servedBy: [...inner].toSorted(([, a], [, b]) => b - a).map(([label]) => label),
  };
}

/** The innermost level of whose capacity the footprint fills less than half. */
function servingLevel(footprint: number, levels: readonly Ceiling[]): Ceiling | undefined {
  return levels.find(({ capacityBytes }) => footprint * 2 < (capacityBytes ?? 0));
}
