import { groupBy } from '../groupBy.ts';
import type { OpGroup } from '../nn/opGroups.ts';
import type { StepTiming } from '../run/events.ts';
import { timedCalls, totalInterval, totalWork, type TimedCall } from './callTimes.ts';
import { isTimed, measuredPoint, type PointWork } from './point.ts';
import { stepWork, workKey, type StepWork } from './stepWork.ts';
import type { Roofline, TrajectoryPoint } from './types.ts';

/** Steps of one value of the parameter, with their work and calls. */
export interface Visit {
  readonly steps: readonly StepTiming[];
  readonly work: StepWork | undefined;
  /** Of the good steps; undefined where no calls were timed. */
  readonly calls: readonly TimedCall[] | undefined;
}

/** The visits of one sweep's steps, by rising value. */
export function visitsOf(steps: readonly StepTiming[]): Visit[] {
  // Once for equal work: along a sweep of workgroups all steps do the same.
  const works = new Map(groupBy(steps, workKey).map(([step]) => [workKey(step!), stepWork(step!)]));
  return groupBy(steps, ({ value }) => value)
    .toSorted(([a], [b]) => a!.value - b!.value)
    .map((own) => {
      const work = works.get(workKey(own[0]!));
      const calls = work?.plan && timedCalls(own.filter(isTimed), work.plan);
      return { steps: own, work, calls };
    });
}

/** The work of a step, as its kernels do it where `areTimed`. Its bytes are always the plan's. */
export function pointWork({ steps, work, calls }: Visit, areTimed: boolean): PointWork | undefined {
  if (work === undefined) return undefined;
  const issuedOfStep = steps.find(isTimed)?.issuedBytes;
  if (calls === undefined) {
    const bytes = { ...work.bytes, ...(issuedOfStep !== undefined && { issued: issuedOfStep }) };
    return { ...work, bytes, calls: work.ops };
  }
  const { executedFlops, bytes } = totalWork(calls.map((call) => call.work));
  const issued = issuedOfStep ?? bytes.issued;
  return {
    flops: work.flops,
    executedFlops: areTimed ? executedFlops : work.executedFlops,
    bytes: { ...work.bytes, ...(issued !== undefined && { issued }) },
    calls: areTimed ? calls.map((call) => call.work) : work.ops,
  };
}

/** The point of one kind of op; none where its calls were not timed or do no flops. */
export function groupPoint(
  { steps, calls = [] }: Visit,
  scope: OpGroup,
  roofline: Roofline | undefined,
): TrajectoryPoint[] {
  const own = calls.filter(({ group }) => group === scope);
  const works = own.map(({ work }) => work);
  const work = totalWork(works);
  if (!(work.executedFlops > 0)) return [];
  const interval = totalInterval(own);
  const { value, batch, precision } = steps[0]!;
  const samples = Math.min(...own.map((call) => call.samples));
  const timeShare = interval.median / totalInterval(calls).median;
  const time = { value, batch, precision, interval, samples, timeShare };
  return [measuredPoint(time, { ...work, calls: works }, roofline)];
}
