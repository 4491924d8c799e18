import { initialParameters } from '../../core/nn/initialParameters.ts';
import type { TrainingPlan } from '../../core/nn/plan.ts';
import { trainingPlan } from '../../core/nn/trainingPlan.ts';
import type { ModelName } from '../../core/nn/zoo.ts';
import {
  thoroughnessOf,
  type RunConfig,
  type SweepParameter,
  type Thoroughness,
} from '../../core/run/config.ts';
import type { StepTiming } from '../../core/run/events.ts';
import type { PointBudget, VisitBudget } from '../../core/sweeps/pointBudget.ts';
import { loadFashionMnist, type TrainingImages } from '../../data/fashionMnist.ts';
import { CpuFault } from '../faults.ts';
import type { Pool } from '../pool.ts';
import { bestUse, type TimedPoint } from './bestUse.ts';
import type { CacheSizes } from './caches.ts';
import { CpuTrainer } from './cpuTrainer.ts';
import { MiniBatches } from './miniBatches.ts';
import type { ReplicaShape } from './replicas.ts';
import { sweepPoints, usualUse, type CoreUse, type SweepPoint } from './sweepPoints.ts';
import { skippedPoint, timePoint, type PointTiming, type TimedVisitBudget } from './sweepPoint.ts';
import { walkPoints } from './walkedSweeps.ts';

/** Of the data set, and of the first parameters: the same for sweeps and tuning. */
export const imageCount = 512;
export const seed = 1;

/** What the sweeps of a profile may cost. */
interface SweepBudget {
  readonly point: PointBudget;
  /** Of a model, in seconds: after so long the remaining points are skipped. */
  readonly mostSeconds: number;
}

const budgets: Readonly<Record<Thoroughness, SweepBudget>> = {
  quick: { point: { seconds: 0.3, mostSeconds: 3, visits: 4 }, mostSeconds: 12 },
  full: { point: { seconds: 2, mostSeconds: 60, visits: 4 }, mostSeconds: 600 },
};

/** What the sweeps need of the job that they are a part of. */
export interface SweepContext {
  readonly pool: Pool;
  /** Logical cores: the most threads that work at once. */
  readonly cores: number;
  readonly config: RunConfig;
  readonly clock: Pick<TimedVisitBudget, 'clockSpanSeconds' | 'clockStepSeconds'>;
  /** As they were measured; absent: the usual ones. */
  readonly caches?: CacheSizes;
  readonly tell: (step: StepTiming) => void;
  /** Part of the sweeps is behind us, of so many seconds as they were expected to take. */
  readonly advance: (stage: string, seconds: number) => void;
}

type Wanted = Pick<SweepContext, 'pool' | 'cores' | 'config'>;

function pointsOf({ pool, cores, config }: Wanted, sweep: SweepParameter, use?: CoreUse) {
  const isFull = thoroughnessOf(config.profile) === 'full';
  return sweepPoints(sweep, cores, pool.sharedMemory, isFull, use);
}

/** Points of all sweeps of all models. */
function pointCount(wanted: Wanted): number {
  const { models, sweeps } = wanted.config;
  return models.length * sweeps.reduce((sum, sweep) => sum + pointsOf(wanted, sweep).length, 0);
}

/** The batch grows last, with the cores used as the other sweeps found best. */
function inOrder(sweeps: readonly SweepParameter[]): SweepParameter[] {
  return sweeps.toSorted((a, b) => Number(a === 'batch') - Number(b === 'batch'));
}

/** Seconds that `trainingSweeps` is expected to take. */
export function expectedSweepSeconds(wanted: Wanted): number {
  const { point, mostSeconds } = budgets[thoroughnessOf(wanted.config.profile)];
  return Math.min(wanted.config.models.length * mostSeconds, pointCount(wanted) * point.seconds);
}

/**
 * Times the training step of each configured model on real images along the configured sweeps; tells
 * a step a visit. A point that would take too long is told as skipped. Throws `DataError` without the
 * images, `CpuFault` at a fault, the signal's reason at a cancel; earlier points are out by then.
 */
export async function trainingSweeps(context: SweepContext): Promise<void> {
  const { pool, cores, config } = context;
  const count = pointCount(context);
  if (count === 0) return;
  const images = await loadFashionMnist('train', imageCount);
  const { mostSeconds, point: budget } = budgets[thoroughnessOf(config.profile)];
  const share = expectedSweepSeconds(context) / (count * budget.visits);
  for (const model of config.models) {
    const timed: TimedPoint[] = [];
    const end = performance.now() + 1000 * mostSeconds;
    const sweeps = inOrder(config.sweeps).filter((sweep) => pointsOf(context, sweep).length > 0);
    for (const [index, sweep] of sweeps.entries()) {
      const begin = performance.now();
      const sweepEnd = begin + Math.max(0, end - begin) / (sweeps.length - index);
      const use = bestUse(timed, usualUse(cores, pool.sharedMemory));
      const time = (point: SweepPoint, own: VisitBudget) => {
        context.advance(`training, ${sweep} sweep`, share);
        const { clock, caches } = context;
        return timeStep(pool, images, model, { ...point, caches }, { ...clock, ...own });
      };
      const tell = (point: SweepPoint, timing: PointTiming) => {
        timed.push({ point, timing });
        context.tell(stepTiming(model, images, point, timing));
      };
      const points = pointsOf(context, sweep, use);
      await walkPoints(model, points, budget, sweepEnd, time, tell);
    }
  }
}

/**
 * Times steps of a model whose batch is dealt out to replicas and their threads. One whose memory the
 * browser refuses is skipped like one that takes too long.
 */
export async function timeStep(
  pool: Pool,
  images: TrainingImages,
  model: ModelName,
  { batches, threads, caches }: Omit<ReplicaShape<TrainingPlan>, 'planOf'>,
  budget: TimedVisitBudget,
): Promise<PointTiming> {
  const planOf = (batch: number) => trainingPlan(model, batch, images.shape);
  const plan = planOf(batches[0]!);
  const shape = { planOf, batches, threads, caches };
  try {
    const trainer = await CpuTrainer.create(pool, shape, initialParameters(plan, seed));
    try {
      return await timePoint(trainer, plan.ops, new MiniBatches(images), budget);
    } finally {
      await trainer.disband();
    }
  } catch (error) {
    const isFull = error instanceof CpuFault && error.fault.kind === 'out-of-memory';
    if (isFull) return skippedPoint(error.fault.detail);
    throw error;
  }
}

function stepTiming(
  model: ModelName,
  images: TrainingImages,
  { parameter, value, batches, threads, scaling }: SweepPoint,
  { allReduceSeconds, barrierSeconds, calls, ...timing }: PointTiming,
): StepTiming {
  const replicas = batches.length;
  return {
    device: 'cpu',
    deviceId: 'cpu',
    model,
    inputChannels: images.shape.channels,
    precision: 'f32',
    parameter,
    value,
    batch: batches.reduce((sum, batch) => sum + batch, 0),
    threads,
    ...((parameter === 'replicas' || replicas > 1) && { replicas }),
    ...(scaling && { scaling }),
    timer: 'clock',
    ...(barrierSeconds && { barrierSeconds }),
    ...(allReduceSeconds && replicas > 1 && { allReduceSeconds }),
    // The calls of one replica are not those of the batch.
    ...(calls && parameter !== 'replicas' && replicas === 1 && { calls }),
    ...timing,
  };
}
