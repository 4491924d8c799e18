import type { ModelName } from '../../core/nn/zoo.ts';
import { trainingPlan } from '../../core/nn/trainingPlan.ts';
import { sweepsOf, thoroughnessOf, type SweepParameter } from '../../core/run/config.ts';
import type { StepTiming, Tuning } from '../../core/run/events.ts';
import { earlierReports, keyOf } from '../../core/sweeps/earlierReports.ts';
import { visitBudget } from '../../core/sweeps/pointBudget.ts';
import { sweepOf, type Sweep } from '../../core/sweeps/sweep.ts';
import { SweepPlanner, type Visit, type VisitReport } from '../../core/sweeps/sweepPlanner.ts';
import { workingBatch } from '../../core/sweeps/workingBatch.ts';
import { loadFashionMnist, type TrainingImages } from '../../data/fashionMnist.ts';
import type { GpuContext } from '../context.ts';
import { GpuFault } from '../faults.ts';
import type { VariantChoices } from '../kernels/convVariants.ts';
import { SettingTimer } from './settingTimer.ts';
import { failedPoint, type PointTiming } from './sweepPoint.ts';
import { sweepPlans, type SweepPlan } from './sweepPlan.ts';
import { TrainerSlot, workgroupSizesOf } from './trainerSlot.ts';
import { tunePlan, variantChoices } from './tuner.ts';

const imageCount = 512;
const seed = 1;
/** Of a model's progress, before its sweeps. */
const tuneShare = 0.2;

/**
 * Times the training step of each configured model on real images along the configured sweeps that a
 * GPU has, by kernels that a tuner chose; emits a `tuning` event a model and a `step` event a point,
 * those that were skipped included. The batch grows first; while another parameter does, it is one
 * that keeps the device busy. A run whose device was lost goes on with what it has not told. Throws `DataError` without the images, `GpuFault` at a device's fault,
 * `signal.reason` at a cancel; earlier points are out by then.
 */
export async function trainingSweeps(
  context: GpuContext,
  plan: SweepPlan = sweepPlans[thoroughnessOf(context.config.profile)],
): Promise<void> {
  const { models, sweeps } = context.config;
  const parameters = sweepsOf.gpu.filter((parameter) => sweeps.includes(parameter));
  if (parameters.length === 0) return;
  const images = await context.queue.settled(loadFashionMnist('train', imageCount));
  const slot = new TrainerSlot(context.queue, images.shape);
  try {
    for (const [index, model] of models.entries()) {
      const progress = (stage: string, fraction: number) =>
        context.progress(stage, (index + fraction) / models.length);
      await new ModelSweeps({ ...context, progress }, plan, slot, images, model).run(parameters);
    }
    context.progress('training', 1);
  } finally {
    slot.destroy();
  }
}

/** The sweeps of one model. */
class ModelSweeps {
  readonly #context: GpuContext;
  readonly #plan: SweepPlan;
  readonly #slot: TrainerSlot;
  readonly #images: TrainingImages;
  readonly #model: ModelName;
  readonly #timer: SettingTimer;
  /** Of a run whose device was lost: it goes on by them. */
  readonly #toldSteps: readonly StepTiming[];
  #choices: VariantChoices = {};
  #batch: number;

  constructor(
    context: GpuContext,
    plan: SweepPlan,
    slot: TrainerSlot,
    images: TrainingImages,
    model: ModelName,
  ) {
    this.#context = context;
    this.#plan = plan;
    this.#slot = slot;
    this.#images = images;
    this.#model = model;
    this.#timer = new SettingTimer(context, slot, images);
    const { told = [], environment } = context;
    this.#toldSteps = told.flatMap((event) =>
      event.kind === 'step' && event.step.deviceId === environment.deviceId ? [event.step] : [],
    );
    this.#batch = context.environment.software ? plan.softwareBatch : plan.assumedBatch;
  }

  async run(parameters: readonly SweepParameter[]): Promise<void> {
    if (this.#plan.tuneSeconds > 0) await this.#tune();
    const { modelSeconds, allSeconds } = this.#plan;
    const ownSeconds = Math.min(modelSeconds, allSeconds / this.#context.config.models.length);
    const end = performance.now() + 1000 * ownSeconds;
    for (const [index, parameter] of parameters.entries()) {
      const begin = performance.now();
      const share = Math.max(0, end - begin) / (parameters.length - index);
      const progress = (what: string, part: number) =>
        this.#context.progress(
          `training, ${what}`,
          tuneShare + ((1 - tuneShare) * (index + part)) / parameters.length,
        );
      const sweep = await this.#sweepOf(parameter);
      const reports = await this.#sweep(sweep, begin + share, (part) =>
        progress(`${parameter} sweep`, part),
      );
      if (parameter === 'batch')
        await this.#settleBatch(reports, () => progress('calls of a step', 1));
    }
  }

  /** Finds the variants that the model's sweeps run with, and tells what they bring. */
  async #tune(): Promise<void> {
    const { queue, timer, environment, emit, progress, told = [] } = this.#context;
    const known = told.find(
      (event) => event.kind === 'tuning' && isOfKernels(event.tuning, this.#model),
    );
    if (known?.kind === 'tuning') {
      this.#choices = variantChoices(known.tuning.choices);
      return;
    }
    const [model, batch] = [this.#model, this.#batch];
    const plan = trainingPlan(model, batch, this.#images.shape);
    const { choices, found, ...times } = await tunePlan(queue, timer, plan, {
      kernels: this.#slot.kernels(),
      seconds: this.#plan.tuneSeconds / this.#context.config.models.length,
      earlier: this.#context.earlierChoices ?? [],
      onProgress: (fraction) => progress('training, variants', tuneShare * fraction),
    });
    this.#choices = choices;
    const { deviceId } = environment;
    const subject = { device: 'gpu', deviceId, model, batch, scope: 'kernels' } as const;
    const tuning = { ...subject, ...times, timer: timer.source, choices: found };
    emit({ kind: 'tuning', tuning });
  }

  async #sweepOf(parameter: SweepParameter): Promise<Sweep> {
    const base = { model: this.#model, batch: this.#batch };
    const bounds = {
      largestBatch: this.#plan.largestBatch,
      workgroupSizes: workgroupSizesOf(this.#context.queue.device.limits),
    };
    if (parameter !== 'workgroups') return sweepOf(parameter, base, bounds);
    const { mostTiles } = await this.#slot.trainer(base, this.#choices);
    const { mostWorkgroupValues } = this.#plan;
    return sweepOf(parameter, base, { ...bounds, mostTiles, mostWorkgroupValues });
  }

  /** Visits the points of a sweep until its `end` (see `performance.now`), and what they came to. */
  async #sweep(
    sweep: Sweep,
    end: number,
    progress: (fraction: number) => void,
  ): Promise<readonly VisitReport[]> {
    const { pointBudget: budget } = this.#plan;
    const earlier = earlierReports(this.#toldSteps, sweep);
    const planner = new SweepPlanner(sweep, { budget, seed }, earlier);
    const next = () => planner.next((end - performance.now()) / 1000);
    for (let visit = next(); visit !== undefined; visit = next()) {
      progress(planner.progress);
      const wantsCalls = sweep.parameter === 'batch' && this.#plan.callsAt === 'every batch';
      const timing = await this.#visit(sweep.parameter, visit, wantsCalls && !visit.isRepeat);
      planner.report({ value: visit.value, ...timing });
    }
    return planner.reports;
  }

  /** Fixes the batch of the other sweeps; its calls are timed there where they were not yet. */
  async #settleBatch(reports: readonly VisitReport[], progress: () => void): Promise<void> {
    const { callsAt, softwareBatch, pointBudget } = this.#plan;
    const most = this.#context.environment.software ? softwareBatch : undefined;
    const batch = workingBatch(reports, most);
    if (batch === undefined) return;
    this.#batch = batch;
    if (callsAt !== 'working batch' || this.#hasCalls(batch)) return;
    progress();
    const setting = { model: this.#model, batch };
    const visit = { value: batch, setting, budget: visitBudget(pointBudget), isRepeat: true };
    await this.#visit('batch', visit, true);
  }

  /** Whether the calls of a batch were timed before the device was lost. */
  #hasCalls(batch: number): boolean {
    const wanted = keyOf({ model: this.#model, batch });
    return this.#toldSteps.some((step) => step.calls !== undefined && keyOf(step) === wanted);
  }

  /** Times a point and tells it; one that loses the device is told as failed. */
  async #visit(parameter: SweepParameter, visit: Visit, wantsCalls: boolean): Promise<PointTiming> {
    const callSeconds = wantsCalls ? this.#plan.callSeconds : undefined;
    try {
      const timing = await this.#timer.time(visit, this.#choices, callSeconds);
      this.#emit(parameter, visit, timing);
      return timing;
    } catch (error) {
      if (error instanceof GpuFault && error.fault.kind === 'device-lost')
        this.#emit(parameter, visit, failedPoint(error.fault.cause));
      throw error;
    }
  }

  #emit(parameter: SweepParameter, { value, setting }: Visit, timing: PointTiming): void {
    const { environment, timer, emit } = this.#context;
    emit({
      kind: 'step',
      step: {
        device: 'gpu',
        deviceId: environment.deviceId,
        ...setting,
        inputChannels: this.#images.shape.channels,
        precision: 'f32',
        parameter,
        value,
        timer: timer.source,
        ...timing,
      },
    });
  }
}

function isOfKernels({ model, scope = 'kernels' }: Tuning, wanted: ModelName): boolean {
  return model === wanted && scope === 'kernels';
}
