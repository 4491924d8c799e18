import { hasSoftwareGpu, roofOf, type Roof } from '../compare/comparedRun.ts';
import type { FigureSeries } from './figure.ts';
import { planCost, type PlanCost } from '../nn/cost.ts';
import type { TrainingPlan } from '../nn/plan.ts';
import { trainingPlan } from '../nn/trainingPlan.ts';
import type { ModelName } from '../nn/zoo.ts';
import type { Trajectory, TrajectoryPoint } from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';
import type { DeviceKind, SweepParameter } from '../run/config.ts';
import type { RunEvent } from '../run/events.ts';
import type { RunSummary } from '../run/record.ts';

/** The numbers that a lesson is about. */
export interface LessonData {
  /** Whose they are, e.g. `this machine` or a reference machine's description. */
  readonly name: string;
  /** The device that the learner looks at; lessons that need another say so. */
  readonly device: DeviceKind;
  readonly summary: RunSummary;
  /** Raw measurements; empty where the run came by link. */
  readonly events: readonly RunEvent[];
}

/** The network of all lessons, on images of one channel as runs train it. */
export const lessonModel: ModelName = 'resnet8';
const image = { height: 32, width: 32, channels: 1 };

export interface LessonPlan {
  readonly plan: TrainingPlan;
  readonly cost: PlanCost;
}

export function lessonPlan(batch: number): LessonPlan {
  const plan = trainingPlan(lessonModel, batch, image);
  return { plan, cost: planCost(plan) };
}

/** flop/byte */
export function stepIntensity({ executedFlops, bytes }: PlanCost): number {
  return executedFlops / bytes.algorithmic;
}

/** `GPU` or `CPU`, with a plain word where the GPU is software. */
export function deviceWord({ summary }: LessonData, device: DeviceKind): string {
  if (device === 'cpu') return 'CPU';
  return hasSoftwareGpu({ summary }) ? 'software GPU' : 'GPU';
}

export function roofOfData({ summary, device }: LessonData): Roof | undefined {
  return roofOf(summary, device);
}

/** The sweep of the lessons' network over a parameter on a device that has the most good points. */
export function sweepOf(
  { summary }: LessonData,
  device: DeviceKind,
  parameter: SweepParameter,
): Trajectory | undefined {
  return wholeSteps(summary.trajectories)
    .filter(
      (trajectory) =>
        trajectory.device === device &&
        trajectory.model === lessonModel &&
        trajectory.parameter === parameter,
    )
    .toSorted((a, b) => goodPoints(b).length - goodPoints(a).length)
    .find((trajectory) => goodPoints(trajectory).length > 1);
}

export function goodPoints({ points }: Trajectory): readonly TrajectoryPoint[] {
  return points.filter(({ status }) => status === 'ok');
}

/** A roof of the lesson's chart. */
export function roofSeries(
  label: string,
  style: number,
  { compute, memory }: Roof,
  paths: FigureSeries['paths'] = [],
): FigureSeries {
  return { id: label, label, style, compute: compute.value, memory: memory.value, paths };
}
