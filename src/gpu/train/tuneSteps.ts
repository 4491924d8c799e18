import type { ModelName } from '../../core/nn/zoo.ts';
import { trainingPlan } from '../../core/nn/trainingPlan.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import type { TuningChoice } from '../../core/run/events.ts';
import { visitBudget } from '../../core/sweeps/pointBudget.ts';
import type { StepSetting, SweepBounds } from '../../core/sweeps/sweep.ts';
import type { Visit } from '../../core/sweeps/sweepPlanner.ts';
import { tuneStep, type TunedDevice, type TunedSide } from '../../core/sweeps/tune.ts';
import { loadFashionMnist, type TrainingImages } from '../../data/fashionMnist.ts';
import type { GpuContext } from '../context.ts';
import { SettingTimer } from './settingTimer.ts';
import type { PointTiming } from './sweepPoint.ts';
import { tunePlans, type TunePlan } from './tunePlan.ts';
import { TrainerSlot, workgroupSizesOf } from './trainerSlot.ts';
import { chooseVariants, variantChoices } from './tuner.ts';

const imageCount = 512;
const seed = 1;
/** Of a model's progress: the search, and each of two choices of kernels; the comparison is the rest. */
const searchShare = 0.6;
const chooseShare = 0.1;

/**
 * Tunes the training step of each configured model: its batch, workgroups and workgroup size, and its
 * kernels. Emits a `tuning` event for each scope. Throws `DataError` without the images, `GpuFault`
 * at a device's fault, `signal.reason` at a cancel; models before are out by then.
 */
export async function tuneSteps(
  context: GpuContext,
  plan: TunePlan = tunePlans[thoroughnessOf(context.config.profile)],
): Promise<void> {
  const { config, environment, queue, timer, emit } = context;
  const images = await queue.settled(loadFashionMnist('train', imageCount));
  const slot = new TrainerSlot(queue, images.shape);
  const { deviceId, software } = environment;
  const batch = software ? plan.softwareBatch : plan.assumedBatch;
  try {
    for (const [index, model] of config.models.entries()) {
      const progress = (stage: string, fraction: number) =>
        context.progress(stage, (index + fraction) / config.models.length);
      const device = new TunedGpu({ ...context, progress }, plan, slot, images, model);
      const limits = { budget: plan.pointBudget, seed };
      for (const result of await tuneStep({ model, batch }, device, limits))
        emit({
          kind: 'tuning',
          tuning: { device: 'gpu', deviceId, model, batch, timer: timer.source, ...result },
        });
    }
    context.progress('tuning', 1);
  } finally {
    slot.destroy();
  }
}

/** The GPU, as steps of one model are tuned on it. */
class TunedGpu implements TunedDevice {
  readonly parameters = ['batch', 'workgroups', 'workgroupSize'] as const;
  readonly #context: GpuContext;
  readonly #plan: TunePlan;
  readonly #slot: TrainerSlot;
  readonly #images: TrainingImages;
  readonly #timer: SettingTimer;
  readonly #begin = performance.now();
  #choices = 0;

  constructor(
    context: GpuContext,
    plan: TunePlan,
    slot: TrainerSlot,
    images: TrainingImages,
    model: ModelName,
  ) {
    this.#context = context;
    this.#plan = plan;
    this.#slot = slot;
    this.#images = images;
    this.#timer = new SettingTimer(context, slot, images);
    context.progress(`tuning, ${model}`, 0);
  }

  remainingSeconds(): number {
    return this.#plan.searchSeconds - (performance.now() - this.#begin) / 1000;
  }

  async bounds(setting: StepSetting): Promise<SweepBounds> {
    const { mostTiles } = await this.#slot.trainer(setting, {});
    return {
      largestBatch: this.#plan.largestBatch,
      mostTiles,
      workgroupSizes: workgroupSizesOf(this.#context.queue.device.limits),
    };
  }

  time(visit: Visit, parameter: string): Promise<PointTiming> {
    const spent = 1 - Math.max(0, this.remainingSeconds()) / this.#plan.searchSeconds;
    this.#context.progress(`tuning, ${parameter}`, searchShare * spent);
    return this.#timer.time(visit, {});
  }

  chooseKernels({ model, batch, workgroupSize }: StepSetting): Promise<readonly TuningChoice[]> {
    const { queue, timer, progress } = this.#context;
    const plan = trainingPlan(model, batch, this.#images.shape);
    const begin = searchShare + chooseShare * this.#choices;
    this.#choices += 1;
    return chooseVariants(queue, timer, plan, {
      kernels: this.#slot.kernels(workgroupSize),
      seconds: this.#plan.variantSeconds,
      onProgress: (fraction) => progress('tuning, kernels', begin + chooseShare * fraction),
    });
  }

  async timeSide({ setting, choices }: TunedSide): Promise<readonly number[]> {
    this.#context.progress('tuning, comparison', searchShare + 2 * chooseShare);
    const visit = { setting, budget: visitBudget(this.#plan.pointBudget) };
    return (await this.#timer.time(visit, variantChoices(choices))).seconds;
  }
}
