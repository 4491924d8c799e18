import { modelsAlong } from '../nn/modelSize.ts';
import type { StepTiming } from '../run/events.ts';
import { settingAt, type StepSetting, type Sweep } from './sweep.ts';
import type { VisitReport } from './sweepPlanner.ts';

/**
 * What a sweep has reported before a fault ended it, for a planner that goes on from there. A value
 * that failed once and was not measured is left out: it is tried once more.
 */
export function earlierReports(steps: readonly StepTiming[], sweep: Sweep): VisitReport[] {
  const own = steps.filter((step) => isOf(step, sweep));
  const visits = (value: number) => own.filter((step) => step.value === value).length;
  return own
    .filter(({ value, status }) => status !== 'failed' || visits(value) > 1)
    .map(({ value, status, seconds }) => ({ value, status, seconds }));
}

/** Whether a step was run in a sweep: with its value of the parameter and all else as fixed there. */
function isOf(step: StepTiming, sweep: Sweep): boolean {
  const { parameter, base } = sweep;
  if (step.parameter !== parameter) return false;
  const isOfSizes = parameter === 'depth' || parameter === 'width';
  if (isOfSizes && !modelsAlong(base.model, parameter).some((model) => model === step.model))
    return false;
  return keyOf(step) === keyOf(settingAt(sweep, step.value));
}

/** Equal for steps of one setting. */
export function keyOf(step: Pick<StepTiming, keyof StepSetting>): string {
  const { model, batch, workgroups, workgroupSize, threads, replicas, scaling } = step;
  return JSON.stringify([model, batch, workgroups, workgroupSize, threads, replicas, scaling]);
}
