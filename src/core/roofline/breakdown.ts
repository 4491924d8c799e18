import { groupBy } from '../groupBy.ts';
import { opGroupLabels, type OpGroup } from '../nn/opGroups.ts';
import type { StepTiming } from '../run/events.ts';
import { medianInterval } from '../stats/interval.ts';
import { callBound, type CallBound } from './bound.ts';
import { timedCalls, type TimedCall } from './callTimes.ts';
import { isTimed } from './point.ts';
import { stepWork } from './stepWork.ts';
import type { Roofline } from './types.ts';

/** A kernel call's time against what the device could do it in. */
export interface CallBreakdown extends TimedCall {
  readonly seconds: number;
  /** Absent without ceilings. */
  readonly bound?: CallBound;
  /** Of the time past the bound, what starting a call takes; 0 where that was not measured. */
  readonly launchSeconds: number;
  /** Time past the bound; below 0 is above a roof. All of it without a bound. */
  readonly lostSeconds: number;
}

/** The calls of one kind together. */
export interface GroupBreakdown {
  readonly group: OpGroup;
  readonly label: string;
  readonly calls: number;
  readonly seconds: number;
  readonly boundSeconds: number;
  readonly launchSeconds: number;
  readonly lostSeconds: number;
  /** Of the whole step's time. */
  readonly share: number;
}

/** Where the time of a step goes. All sums of `seconds` close: groups + remainder = step. */
export interface StepBreakdown {
  /** Most time lost first. */
  readonly calls: readonly CallBreakdown[];
  readonly groups: readonly GroupBreakdown[];
  /** Median of the whole step, timed as a whole. */
  readonly stepSeconds: number;
  /** Sum over the calls, each timed by itself. */
  readonly callSeconds: number;
  /** Least possible time of all calls; 0 without ceilings. */
  readonly boundSeconds: number;
  /**
   * What the step takes beyond its calls: launches, passes, gaps. Below 0 the calls take longer one
   * by one than in a step, where the device overlaps them or finds data still cached.
   */
  readonly remainderSeconds: number;
}

/**
 * The time-based view of a step: each call's measured time against max(flops / P, bytes / B) and the
 * overhead of a launch, so that calls without flops, which a roofline cannot show, have their place.
 * `steps` are of one configuration. Undefined where their calls were not timed.
 *
 * Source: Wang et al., Time-based roofline for deep learning performance analysis, 2020
 * (arXiv:2009.04598).
 */
export function stepBreakdown(
  steps: readonly StepTiming[],
  roofline: Roofline | undefined,
): StepBreakdown | undefined {
  const good = steps.filter(isTimed);
  const [first] = good;
  const plan = first && stepWork(first)?.plan;
  const timed = plan && timedCalls(good, plan);
  if (first === undefined || timed === undefined) return undefined;
  const launch = launchSeconds(roofline);
  const calls = timed
    .map((call) => callBreakdown(call, roofline && callBound(call.work, roofline, 'f32'), launch))
    .toSorted((a, b) => b.lostSeconds - a.lostSeconds);
  const stepSeconds = medianInterval(good.flatMap(({ seconds }) => seconds)).median;
  const callSeconds = sum(calls, ({ seconds }) => seconds);
  return {
    calls,
    groups: groupBy(calls, ({ group }) => group)
      .map((own) => groupBreakdown(own, stepSeconds))
      .toSorted((a, b) => b.seconds - a.seconds),
    stepSeconds,
    callSeconds,
    boundSeconds: sum(calls, boundSeconds),
    remainderSeconds: stepSeconds - callSeconds,
  };
}

function callBreakdown(
  call: TimedCall,
  bound: CallBound | undefined,
  launch: number,
): CallBreakdown {
  const seconds = call.interval.median;
  const lostSeconds = seconds - (bound?.seconds ?? 0);
  return {
    ...call,
    seconds,
    ...(bound && { bound }),
    launchSeconds: Math.min(launch, Math.max(0, lostSeconds)),
    lostSeconds,
  };
}

function groupBreakdown(calls: readonly CallBreakdown[], stepSeconds: number): GroupBreakdown {
  const { group } = calls[0]!;
  const seconds = sum(calls, (call) => call.seconds);
  return {
    group,
    label: opGroupLabels[group],
    calls: calls.length,
    seconds,
    boundSeconds: sum(calls, boundSeconds),
    launchSeconds: sum(calls, (call) => call.launchSeconds),
    lostSeconds: sum(calls, (call) => call.lostSeconds),
    share: seconds / stepSeconds,
  };
}

/** What starting one call costs: a dependent dispatch on the GPU, a barrier of threads on the CPU. */
function launchSeconds(roofline: Roofline | undefined): number {
  switch (roofline?.device) {
    case 'gpu':
      return roofline.overheads?.dispatch?.value ?? 0;
    case 'cpu':
      return roofline.overheads?.barrier?.value ?? 0;
    case undefined:
      return 0;
  }
}

function boundSeconds({ bound }: CallBreakdown): number {
  return bound?.seconds ?? 0;
}

function sum(calls: readonly CallBreakdown[], of: (call: CallBreakdown) => number): number {
  return calls.reduce((total, call) => total + of(call), 0);
}
