import { groupBy } from '../groupBy.ts';
import { modelSize } from '../nn/modelSize.ts';
import { opGroups } from '../nn/opGroups.ts';
import { Remembered } from '../remembered.ts';
import type { StepTiming } from '../run/events.ts';
import { driftOf, withDrift } from './drift.ts';
import { isTimed, pointOf, withThreadsRoof } from './point.ts';
import { optimum, saturation } from './saturation.ts';
import { growthOf, segments, type MotionPoint } from './segments.ts';
import type { Roofline, Trajectory, TrajectoryPoint } from './types.ts';
import { groupPoint, pointWork, visitsOf } from './visits.ts';

/**
 * The trajectories that step timings form: for each device, model, swept parameter and the values
 * that were held fixed that of the whole step, then, where calls were timed, one for each kind of
 * op. Points by rising value. Steps of equal value are pooled. Points that failed are kept, with
 * the reason; segments join the good ones. Those of a sweep that has no new steps under the same
 * rooflines are taken from `remembered`.
 */
export function trajectories(
  steps: readonly StepTiming[],
  rooflines: readonly Roofline[],
  remembered = new Remembered<readonly Trajectory[]>(),
): Trajectory[] {
  return groupBy(steps, sweepKey).flatMap((group) => {
    const { device, deviceId } = group[0]!;
    const own = rooflines.filter((roof) => roof.device === device && roof.deviceId === deviceId);
    return remembered.of(sweepKey(group[0]!), [...group, ...own], () =>
      sweepTrajectories(group, own),
    );
  });
}

/** Steps of one sweep have one. */
function sweepKey(step: StepTiming): string {
  return JSON.stringify([step.device, step.deviceId, modelOf(step), step.parameter, fixedOf(step)]);
}

/** What the points of a trajectory share: along depth and width, the models' family. */
function modelOf({ model, parameter }: StepTiming): string {
  const along = parameter === 'depth' || parameter === 'width';
  return along ? (modelSize(model)?.family ?? model) : model;
}

/** What stays the same along a sweep. */
function fixedOf(step: StepTiming): Trajectory['fixed'] {
  const { parameter, batch, workgroups, workgroupSize, threads, replicas, scaling } = step;
  const size = modelSize(step.model);
  return {
    // Replicas that each get as much make the batch grow along.
    ...(parameter !== 'batch' && scaling !== 'weak' && { batch }),
    ...(parameter !== 'workgroups' && workgroups !== undefined && { workgroups }),
    ...(parameter !== 'workgroupSize' && workgroupSize !== undefined && { workgroupSize }),
    ...(parameter !== 'threads' && threads !== undefined && { threads }),
    ...(parameter !== 'replicas' && replicas !== undefined && { replicas }),
    ...(parameter === 'width' && size && { depth: size.depth }),
    ...(parameter === 'depth' && size && { width: size.width }),
    ...(scaling !== undefined && { scaling }),
  };
}

function sweepTrajectories(
  steps: readonly StepTiming[],
  rooflines: readonly Roofline[],
): Trajectory[] {
  const first = steps[0]!;
  const { device, deviceId, precision, parameter } = first;
  const subject = {
    device,
    deviceId,
    model: modelOf(first),
    precision,
    parameter,
    fixed: fixedOf(first),
  };
  const roofline = rooflineOf(first, rooflines);
  const visits = visitsOf(steps);
  const drift = driftOf(steps.filter(isTimed));
  // Fused and fast variants do less than the plan: told of all points or of none.
  const areTimed = visits.every(({ steps: own, calls }) => calls || !own.some(isTimed));
  const points = visits.map((visit) => {
    const work = pointWork(visit, areTimed);
    const point = pointOf(visit.steps, work, roofline);
    const own = threadsRooflineOf(visit.steps[0]!, rooflines);
    return withDrift(own === roofline ? point : withThreadsRoof(point, work, own), drift);
  });
  return [
    trajectoryOf({ ...subject, scope: 'step' }, points),
    ...opGroups.flatMap((scope) => {
      const own = visits.flatMap((visit) => groupPoint(visit, scope, roofline));
      return own.length === 0 ? [] : [trajectoryOf({ ...subject, scope }, own)];
    }),
  ];
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
    segments: segments(motion, growthOf(subject.parameter), subject.fixed.scaling),
    ...(saturated && { saturation: saturated }),
    ...(best && { optimum: best }),
  };
}

/** The roofline of the full device: on the CPU that of most threads. */
export function rooflineOf(
  step: Pick<StepTiming, 'device' | 'deviceId'>,
  rooflines: readonly Roofline[],
): Roofline | undefined {
  return rooflines
    .filter(({ device, deviceId }) => device === step.device && deviceId === step.deviceId)
    .toSorted((a, b) => (b.threads ?? 0) - (a.threads ?? 0))[0];
}

/** The roofline of as many threads as a step ran on. */
function threadsRooflineOf(
  { device, deviceId, threads, replicas }: StepTiming,
  rooflines: readonly Roofline[],
): Roofline | undefined {
  if (threads === undefined && replicas === undefined) return undefined;
  const count = (threads ?? 1) * (replicas ?? 1);
  return rooflines.find(
    (roofline) =>
      roofline.device === device && roofline.deviceId === deviceId && roofline.threads === count,
  );
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
    loadFraction: point.loadFraction,
  };
}
