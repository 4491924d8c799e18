import { groupBy } from '../groupBy.ts';
import { opGroupOf, type OpGroup } from '../nn/opGroups.ts';
import type { TrainingPlan } from '../nn/plan.ts';
import type { CallTiming, StepTiming } from '../run/events.ts';
import { medianInterval, type MedianInterval } from '../stats/interval.ts';
import { callWork, type CallWork } from './callWork.ts';
import { areTimes } from './rates.ts';

/** A kernel call of a step as it was timed by itself, with its work. */
export interface TimedCall {
  /** `conv2d.forward of stem.conv`; a fused call names its first op and counts the others. */
  readonly label: string;
  readonly group: OpGroup;
  readonly ops: readonly number[];
  readonly variant: string;
  readonly interval: MedianInterval;
  readonly samples: number;
  readonly work: CallWork;
  readonly flags: readonly string[];
}

/**
 * The calls of a step, in order: times of steps of one configuration are pooled. Undefined where no
 * step has calls that do each op of the plan once.
 */
export function timedCalls(
  steps: readonly StepTiming[],
  plan: Pick<TrainingPlan, 'ops' | 'tensors'>,
): readonly TimedCall[] | undefined {
  const complete = steps.flatMap(({ calls }) =>
    calls !== undefined && isComplete(calls, plan.ops.length) ? [calls] : [],
  );
  const [first] = complete;
  if (first === undefined) return undefined;
  const alike = complete.filter((calls) => shape(calls) === shape(first)).flat();
  return groupBy(alike, ({ ops }) => ops.join(' ')).map((group) => timedCall(group, plan));
}

function isComplete(calls: readonly CallTiming[], ops: number): boolean {
  const done = new Set(calls.flatMap((call) => call.ops));
  const total = calls.reduce((sum, call) => sum + call.ops.length, 0);
  const isPlan = [...done].every((op) => Number.isInteger(op) && op >= 0 && op < ops);
  return isPlan && done.size === ops && total === ops && calls.every((c) => areTimes(c.seconds));
}

/** Equal where the same kernels do the same ops. */
function shape(calls: readonly CallTiming[]): string {
  return JSON.stringify(calls.map(({ ops, variant }) => [ops, variant]));
}

function timedCall(
  same: readonly CallTiming[],
  plan: Pick<TrainingPlan, 'ops' | 'tensors'>,
): TimedCall {
  const [call] = same as readonly [CallTiming, ...CallTiming[]];
  const op = plan.ops[call.ops[0]!]!;
  const others = call.ops.length - 1;
  const seconds = same.flatMap((timing) => timing.seconds);
  return {
    label: `${op.kind} of ${op.name}${others === 0 ? '' : ` and ${others} more`}`,
    group: opGroupOf(op.kind),
    ops: call.ops,
    variant: call.variant,
    interval: medianInterval(seconds),
    samples: seconds.length,
    work: callWork(plan, call),
    flags: [...new Set(same.flatMap(({ flags }) => flags))],
  };
}

/** The time of several calls together: the sums of medians and of the intervals' ends. */
export function totalInterval(calls: readonly TimedCall[]): MedianInterval {
  const sum = (of: (interval: MedianInterval) => number): number =>
    calls.reduce((total, { interval }) => total + of(interval), 0);
  return {
    median: sum(({ median }) => median),
    low: sum(({ low }) => low),
    high: sum(({ high }) => high),
    coverage: Math.min(...calls.map(({ interval }) => interval.coverage)),
  };
}

/** The work of several calls; issued bytes only where each call has them. */
export function totalWork(works: readonly CallWork[]): CallWork {
  const sum = (of: (work: CallWork) => number): number =>
    works.reduce((total, work) => total + of(work), 0);
  const isIssued = works.every(({ bytes }) => bytes.issued !== undefined);
  return {
    flops: sum(({ flops }) => flops),
    executedFlops: sum(({ executedFlops }) => executedFlops),
    bytes: {
      algorithmic: sum(({ bytes }) => bytes.algorithmic),
      ...(isIssued && { issued: sum(({ bytes }) => bytes.issued ?? 0) }),
    },
  };
}
