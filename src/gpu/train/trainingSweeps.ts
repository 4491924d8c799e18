import { initialParameters } from '../../core/nn/initialParameters.ts';
import type { ModelName } from '../../core/nn/zoo.ts';
import { trainingPlan } from '../../core/nn/trainingPlan.ts';
import { thoroughnessOf, type Thoroughness } from '../../core/run/config.ts';
import type { StepTiming } from '../../core/run/events.ts';
import { loadFashionMnist, type TrainingImages } from '../../data/fashionMnist.ts';
import type { GpuContext } from '../context.ts';
import type { VariantChoices } from '../kernels/convVariants.ts';
import { KernelSet } from '../kernels/kernelSet.ts';
import { GpuTrainer } from './gpuTrainer.ts';
import { MiniBatches } from './miniBatches.ts';
import { StepTimer } from './stepTimer.ts';
import { tunePlan } from './tuner.ts';
import { skippedPoint, timePoint, type PointBudget, type PointTiming } from './sweepPoint.ts';

const imageCount = 256;
const seed = 1;

/** What the sweeps visit, and what they may cost. */
export interface SweepPlan {
  /** Images a step, at one workgroup a tile. */
  readonly batches: readonly number[];
  /** Images a step while the number of workgroups shrinks. */
  readonly workgroupsBatch: number;
  readonly pointBudget: PointBudget;
  /** For trying variants of the convolutions before a model's sweeps; 0 keeps the defaults. */
  readonly tuneSeconds: number;
  /** After so long the remaining points are skipped. */
  readonly mostSeconds: number;
}

const visited = {
  batches: [1, 2, 4, 8, 16, 32],
  // Saturates software adapters, and leaves a whole sweep of workgroups affordable.
  workgroupsBatch: 8,
};

const sweepPlans: Readonly<Record<Thoroughness, SweepPlan>> = {
  quick: {
    ...visited,
    pointBudget: { seconds: 0.8, mostSeconds: 10 },
    tuneSeconds: 5,
    mostSeconds: 50,
  },
  full: {
    ...visited,
    pointBudget: { seconds: 5, mostSeconds: 60 },
    tuneSeconds: 30,
    mostSeconds: 600,
  },
};

/**
 * Times the training step of each configured model on real images, batch by batch at the default
 * number of workgroups, then number of workgroups by number at a fixed batch; emits a `step` event
 * a point. A point that would take too long is emitted as skipped. Throws `DataError` without the
 * images, `GpuFault` at a device's fault, `signal.reason` at a cancel; earlier points are out by then.
 */
export async function trainingSweeps(
  context: GpuContext,
  plan: SweepPlan = sweepPlans[thoroughnessOf(context.config.profile)],
): Promise<void> {
  const images = await context.queue.settled(loadFashionMnist('train', imageCount));
  const kernels = new KernelSet(context.queue);
  try {
    await new Sweeps(context, plan, kernels, images).run();
  } finally {
    kernels.destroy();
  }
}

class Sweeps {
  readonly #context: GpuContext;
  readonly #plan: SweepPlan;
  readonly #kernels: KernelSet;
  readonly #images: TrainingImages;
  readonly #timer: StepTimer;
  readonly #end: number;
  #choices: VariantChoices = {};

  constructor(context: GpuContext, plan: SweepPlan, kernels: KernelSet, images: TrainingImages) {
    this.#context = context;
    this.#plan = plan;
    this.#kernels = kernels;
    this.#images = images;
    this.#timer = new StepTimer(context.queue, context.timer);
    this.#end = performance.now() + 1000 * plan.mostSeconds;
  }

  async run(): Promise<void> {
    const { models, sweeps } = this.#context.config;
    for (const model of models) {
      await this.#tune(model);
      if (sweeps.includes('batch')) await this.#sweepBatch(model);
      if (sweeps.includes('workgroups'))
        await this.#withTrainer(model, this.#plan.workgroupsBatch, (trainer) =>
          this.#sweepWorkgroups(model, trainer),
        );
    }
    this.#context.progress('training', 1);
  }

  /** Finds the variants that the model's sweeps run with, and tells what they bring. */
  async #tune(model: ModelName): Promise<void> {
    const { tuneSeconds: seconds, workgroupsBatch: batch } = this.#plan;
    if (seconds === 0) return;
    const { queue, timer, environment, emit, progress } = this.#context;
    const plan = trainingPlan(model, batch, this.#images.shape);
    const { choices, found, ...times } = await tunePlan(queue, timer, plan, {
      kernels: this.#kernels,
      seconds,
      onProgress: (fraction) => progress('training, variants', 0.2 * fraction),
    });
    this.#choices = choices;
    const { deviceId } = environment;
    const shared = { device: 'gpu', deviceId, model, batch, timer: timer.source } as const;
    emit({ kind: 'tuning', tuning: { ...shared, ...times, choices: found } });
  }

  async #sweepBatch(model: ModelName): Promise<void> {
    const { batches } = this.#plan;
    for (const [index, batch] of batches.entries()) {
      this.#context.progress('training, batch sweep', 0.2 + (0.4 * index) / batches.length);
      await this.#withTrainer(model, batch, async (trainer) => {
        const timing = await this.#time(trainer, Infinity);
        this.#emit({ ...timing, model, parameter: 'batch', value: batch, batch });
      });
    }
  }

  /**
   * From one workgroup a tile downwards: half the workgroups take at most twice the time, so no
   * point comes as a surprise.
   */
  async #sweepWorkgroups(model: ModelName, trainer: GpuTrainer): Promise<void> {
    const { batch } = trainer.plan;
    const counts = workgroupCounts(trainer.mostTiles);
    for (const [index, workgroups] of counts.entries()) {
      this.#context.progress('training, workgroups sweep', 0.6 + (0.4 * index) / counts.length);
      const timing = await this.#time(trainer, workgroups);
      this.#emit({
        ...timing,
        model,
        parameter: 'workgroups',
        value: workgroups,
        batch,
        workgroups,
      });
      this.#timer.expectSlowdown(2);
    }
  }

  async #time(trainer: GpuTrainer, workgroups: number): Promise<PointTiming> {
    const { pointBudget, mostSeconds } = this.#plan;
    if (performance.now() > this.#end)
      return skippedPoint(`the ${mostSeconds} s of the sweeps were spent`);
    const input = new MiniBatches(this.#images);
    return timePoint(this.#timer, trainer, input, workgroups, pointBudget);
  }

  async #withTrainer(
    model: ModelName,
    batch: number,
    use: (trainer: GpuTrainer) => Promise<void>,
  ): Promise<void> {
    const { queue } = this.#context;
    const plan = trainingPlan(model, batch, this.#images.shape);
    const trainer = await GpuTrainer.create(
      queue,
      plan,
      initialParameters(plan, seed),
      this.#kernels,
      this.#choices,
    );
    try {
      await use(trainer);
    } finally {
      trainer.destroy();
    }
  }

  #emit(
    timing: PointTiming &
      Pick<StepTiming, 'model' | 'parameter' | 'value' | 'batch'> &
      Partial<Pick<StepTiming, 'workgroups'>>,
  ): void {
    const { environment, timer } = this.#context;
    this.#context.emit({
      kind: 'step',
      step: {
        device: 'gpu',
        deviceId: environment.deviceId,
        inputChannels: this.#images.shape.channels,
        precision: 'f32',
        timer: timer.source,
        ...timing,
      },
    });
  }
}

/** The largest first, then powers of two down to one. */
function workgroupCounts(most: number): readonly number[] {
  const counts = [most];
  for (let count = 2 ** Math.ceil(Math.log2(most) - 1); count >= 1; count /= 2) counts.push(count);
  return counts;
}
