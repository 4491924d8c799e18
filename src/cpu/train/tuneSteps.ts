import type { ModelName } from '../../core/nn/zoo.ts';
import { thoroughnessOf, type Thoroughness } from '../../core/run/config.ts';
import type { RunEvent } from '../../core/run/events.ts';
import { visitBudget, type PointBudget } from '../../core/sweeps/pointBudget.ts';
import type { StepSetting, SweepBounds } from '../../core/sweeps/sweep.ts';
import type { Visit } from '../../core/sweeps/sweepPlanner.ts';
import { tuneStep, type TunedDevice, type TunedSide } from '../../core/sweeps/tune.ts';
import { loadFashionMnist, type TrainingImages } from '../../data/fashionMnist.ts';
import type { PointTiming } from './sweepPoint.ts';
import { shares } from './sweepPoints.ts';
import { imageCount, seed, timeStep, type SweepContext } from './trainingSweeps.ts';

/** Images of a step before it is tuned: those of the sweeps of threads and replicas. */
const startBatch = 32;
/** More images at once than this are no gain on any number of cores that browsers tell of. */
const largestBatch = 128;

/** What tuning the step of a model may cost. */
interface TuneBudget {
  readonly point: PointBudget;
  /** For the search, in seconds; the comparison comes on top. */
  readonly searchSeconds: number;
}

const budgets: Readonly<Record<Thoroughness, TuneBudget>> = {
  quick: { point: { seconds: 0.6, mostSeconds: 3, visits: 2 }, searchSeconds: 8 },
  full: { point: { seconds: 6, mostSeconds: 60, visits: 2 }, searchSeconds: 120 },
};
/** Visits for which two configurations are compared. */
const comparedVisits = 6;

/** Seconds that `tuneSteps` is expected to take. */
export function expectedTuneSeconds({ config }: Pick<SweepContext, 'config'>): number {
  const { point, searchSeconds } = budgets[thoroughnessOf(config.profile)];
  return config.models.length * (searchSeconds + comparedVisits * visitBudget(point).seconds);
}

/**
 * Tunes how the training step of each configured model is dealt out: batch, replicas and threads,
 * from one process that has all cores; its kernels have no variants. Emits a `tuning` event a model.
 * Throws `DataError` without the images, `CpuFault` at a fault, the signal's reason at a cancel.
 */
export async function tuneSteps(
  context: Omit<SweepContext, 'tell'>,
  emit: (event: RunEvent) => void,
): Promise<void> {
  const { config } = context;
  const images = await loadFashionMnist('train', imageCount);
  const budget = budgets[thoroughnessOf(config.profile)];
  for (const model of config.models) {
    const device = new TunedCpu(context, budget, images);
    const start = { model, batch: startBatch };
    const limits = { budget: budget.point, seed };
    for (const result of await tuneStep(start, device, limits))
      emit({ kind: 'tuning', tuning: tuningOf(model, result) });
  }
}

function tuningOf(
  model: ModelName,
  result: Awaited<ReturnType<typeof tuneStep>>[number],
): Extract<RunEvent, { kind: 'tuning' }>['tuning'] {
  return { device: 'cpu', deviceId: 'cpu', model, batch: startBatch, timer: 'clock', ...result };
}

/** The CPU, as steps of one model are tuned on it. */
class TunedCpu implements TunedDevice {
  readonly parameters;
  readonly #context: Omit<SweepContext, 'tell'>;
  readonly #budget: TuneBudget;
  readonly #images: TrainingImages;
  readonly #begin = performance.now();

  constructor(context: Omit<SweepContext, 'tell'>, budget: TuneBudget, images: TrainingImages) {
    this.#context = context;
    this.#budget = budget;
    this.#images = images;
    // Without shared memory a replica is one thread.
    this.parameters = context.pool.sharedMemory
      ? (['batch', 'replicas', 'threads'] as const)
      : (['batch', 'replicas'] as const);
  }

  remainingSeconds(): number {
    return this.#budget.searchSeconds - (performance.now() - this.#begin) / 1000;
  }

  bounds(): Promise<SweepBounds> {
    return Promise.resolve({ largestBatch, cores: this.#context.cores });
  }

  time(visit: Visit, parameter: string): Promise<PointTiming> {
    this.#context.advance(`tuning, ${parameter}`, visit.budget.seconds);
    return this.#time(visit.setting, visit.budget);
  }

  async timeSide({ setting }: TunedSide): Promise<readonly number[]> {
    const budget = visitBudget(this.#budget.point);
    this.#context.advance('tuning, comparison', budget.seconds);
    return (await this.#time(setting, budget)).seconds;
  }

  /** Threads that are not told are as many as the cores give each replica. */
  #time(
    { model, batch, replicas = 1, threads }: StepSetting,
    budget: Visit['budget'],
  ): Promise<PointTiming> {
    const { pool, cores, clock } = this.#context;
    const most = pool.sharedMemory ? Math.max(1, Math.floor(cores / replicas)) : 1;
    const deal = { batches: shares(batch, replicas), threads: threads ?? most };
    return timeStep(pool, this.#images, model, deal, { ...clock, ...budget });
  }
}
