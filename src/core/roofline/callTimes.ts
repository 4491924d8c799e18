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
 * The calls of a step, in order: times of steps of one configuration are pooled, and calls that share
 * an op are one, such as a kernel and the one that sums up its partial results. Undefined where no
 * step has calls that do every op of the plan.
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
  const alike = complete.filter((calls) => shape(calls) === shape(first));
  const pooled = first.map((_, position) => pooledCall(alike.map((calls) => calls[position]!)));
  return sharingOps(pooled).map((parts) => timedCall(parts, plan));
}

function isComplete(calls: readonly CallTiming[], ops: number): boolean {
  const done = new Set(calls.flatMap((call) => call.ops));
  const isPlan = [...done].every((op) => Number.isInteger(op) && op >= 0 && op < ops);
  return isPlan && done.size === ops && calls.every(({ seconds }) => areTimes(seconds));
}

/** Equal where the same kernels do the same ops. */
function shape(calls: readonly CallTiming[]): string {
  return JSON.stringify(calls.map(({ ops, variant }) => [ops, variant]));
}

/** The same call of several steps. */
function pooledCall(same: readonly CallTiming[]): CallTiming {
  return {
    ...same[0]!,
    seconds: same.flatMap(({ seconds }) => seconds),
    flags: same.flatMap(({ flags }) => flags),
  };
}

/** Calls together that share an op, in order of their first. */
function sharingOps(calls: readonly CallTiming[]): CallTiming[][] {
  let groups: { ops: Set<number>; parts: CallTiming[] }[] = [];
  for (const call of calls) {
    const joined = groups.filter(({ ops }) => call.ops.some((op) => ops.has(op)));
    const [target = { ops: new Set<number>(), parts: [] }, ...others] = joined;
    for (const { ops, parts } of [...others, { ops: call.ops, parts: [call] }]) {
      for (const op of ops) target.ops.add(op);
      target.parts.push(...parts);
    }
    groups = groups.filter((group) => !others.includes(group));
    if (joined.length === 0) groups.push(target);
  }
  return groups.map(({ parts }) => parts);
}

function timedCall(
  parts: readonly CallTiming[],
  plan: Pick<TrainingPlan, 'ops' | 'tensors'>,
): TimedCall {
  const ops = [...new Set(parts.flatMap((part) => part.ops))];
  const op = plan.ops[ops[0]!]!;
  const others = ops.length - 1;
  return {
    label: `${op.kind} of ${op.name}${others === 0 ? '' : ` and ${others} more`}`,
    group: opGroupOf(op.kind),
    ops,
    variant: parts.map(({ variant }) => variant).join(' + '),
    interval: totalInterval(parts.map(({ seconds }) => ({ interval: medianInterval(seconds) }))),
    samples: Math.min(...parts.map(({ seconds }) => seconds.length)),
    work: callWork(plan, {
      ops,
      ...sumOf('executedFlops', parts),
      ...(parts.every(({ issuedBytes }) => issuedBytes !== undefined) &&
        sumOf('issuedBytes', parts)),
    }),
    flags: [...new Set(parts.flatMap(({ flags }) => flags))],
  };
}

/** The sum over the parts that tell it; nothing where none does. */
function sumOf<Field extends 'executedFlops' | 'issuedBytes'>(
  field: Field,
  parts: readonly CallTiming[],
): { readonly [F in Field]?: number } {
  const told = parts.flatMap((part) => part[field] ?? []);
  const sum = told.reduce((total, amount) => total + amount, 0);
  return told.length === 0 ? {} : ({ [field]: sum } as { [F in Field]: number });
}

/** The time of several calls together: the sums of medians and of the intervals' ends. */
export function totalInterval(calls: readonly Pick<TimedCall, 'interval'>[]): MedianInterval {
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
