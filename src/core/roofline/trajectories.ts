import { groupBy } from '../groupBy.ts';
import { planCost, type PlanCost } from '../nn/cost.ts';
import { trainingPlan } from '../nn/trainingPlan.ts';
import { modelNames, type ModelName } from '../nn/zoo.ts';
import type { StepTiming } from '../run/events.ts';
import { pointOf } from './point.ts';
import { optimum, saturation } from './saturation.ts';
import { growthOf, segments, type MotionPoint } from './segments.ts';
import type { Roofline, Trajectory, TrajectoryPoint } from './types.ts';

/**
 * The trajectories that step timings form: one for each device, model, swept parameter and the
 * values that were held fixed, points by rising value. Steps of equal value are pooled. Points
 * that failed are kept, with the reason; segments join the good ones.
 */
export function trajectories(
  steps: readonly StepTiming[],
  rooflines: readonly Roofline[],
): Trajectory[] {
  return groupBy(steps, (step) =>
    JSON.stringify([step.device, step.deviceId, step.model, step.parameter, fixedOf(step)]),
  ).map((group) => trajectory(group, rooflines));
}

/** What stays the same along a sweep. */
function fixedOf(step: StepTiming): Trajectory['fixed'] {
  const { parameter, batch, workgroups, workgroupSize, threads, replicas, scaling } = step;
  return {
    // Replicas that each get as much make the batch grow along.
    ...(parameter !== 'batch' && scaling !== 'weak' && { batch }),
    ...(parameter !== 'workgroups' && workgroups !== undefined && { workgroups }),
    ...(parameter !== 'workgroupSize' && workgroupSize !== undefined && { workgroupSize }),
    ...(parameter !== 'threads' && threads !== undefined && { threads }),
    ...(parameter !== 'replicas' && replicas !== undefined && { replicas }),
    ...(scaling !== undefined && { scaling }),
  };
}

function trajectory(steps: readonly StepTiming[], rooflines: readonly Roofline[]): Trajectory {
  const first = steps[0]!;
  const roofline = rooflineOf(first, rooflines);
  // Once for equal work: along a sweep of workgroups all steps do the same.
  const costs = new Map(groupBy(steps, workOf).map(([step]) => [workOf(step!), stepCost(step!)]));
  const points = groupBy(steps, ({ value }) => value)
    .map((group) => pointOf(group, costs.get(workOf(group[0]!)), roofline))
    .toSorted((a, b) => a.value - b.value);
  const { device, deviceId, model, precision, parameter } = first;
  const fixed = fixedOf(first);
  return trajectoryOf(
    { device, deviceId, model, scope: 'step', precision, parameter, fixed },
    points,
  );
}

/** What a trajectory is of. */
export type TrajectorySubject = Pick<
  Trajectory,
  'device' | 'deviceId' | 'model' | 'scope' | 'precision' | 'parameter' | 'fixed'
>;

/** A trajectory from its points, which rise in value: segments, saturation and optimum follow. */
export function trajectoryOf(
  subject: TrajectorySubject,
  points: readonly TrajectoryPoint[],
): Trajectory {
  const motion = points.filter(({ status }) => status === 'ok').map(motionPoint);
  const saturated = saturation(motion);
  const best = optimum(motion);
  return {
    ...subject,
    points,
    segments: segments(motion, growthOf(subject.parameter)),
    ...(saturated && { saturation: saturated }),
    ...(best && { optimum: best }),
  };
}

/** The roofline of the full device: on the CPU that of most threads. */
function rooflineOf(step: StepTiming, rooflines: readonly Roofline[]): Roofline | undefined {
  return rooflines
    .filter(({ device, deviceId }) => device === step.device && deviceId === step.deviceId)
    .toSorted((a, b) => (b.threads ?? 0) - (a.threads ?? 0))[0];
}

/** Equal for steps of equal work on the same model. */
function workOf({ batch, inputChannels }: StepTiming): string {
  return `${batch} ${inputChannels}`;
}

/** The work of one step; undefined for a model that this version does not have. */
function stepCost({ model, batch, inputChannels }: StepTiming): PlanCost | undefined {
  if (!isModelName(model)) return undefined;
  return planCost(trainingPlan(model, batch, { height: 32, width: 32, channels: inputChannels }));
}

function isModelName(name: string): name is ModelName {
  return (modelNames as readonly string[]).includes(name);
}

/** A good point for the analysis of motion; slow times are low rates. */
function motionPoint(point: TrajectoryPoint): MotionPoint {
  const { value, intensity, flopsPerSecond, executedFlops, roofFraction, bound } = point;
  return {
    value,
    intensity,
    flopsPerSecond,
    low: executedFlops / point.ciHigh,
    high: executedFlops / point.ciLow,
    samples: point.samples,
    roofFraction,
    memoryShare: bound?.memory,
  };
}
