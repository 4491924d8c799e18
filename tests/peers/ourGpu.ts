import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import type { Sample } from '../../src/core/roofline/sample.ts';
import { defaultConfig } from '../../src/core/run/config.ts';
import type { StepTiming } from '../../src/core/run/events.ts';
import type { GpuContext } from '../../src/gpu/context.ts';
import { openDevice, type OpenGpu } from '../../src/gpu/device.ts';
import type { VariantChoices } from '../../src/gpu/kernels/convVariants.ts';
import { KernelSet } from '../../src/gpu/kernels/kernelSet.ts';
import { submitPasses } from '../../src/gpu/passes.ts';
import { arithmeticProbe } from '../../src/gpu/probes/arithmeticProbe.ts';
import { innerMemoryProbe } from '../../src/gpu/probes/innerMemoryProbe.ts';
import { streamProbe } from '../../src/gpu/probes/streamProbe.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTimer } from '../../src/gpu/timer.ts';
import { GpuTrainer } from '../../src/gpu/train/gpuTrainer.ts';
import { SettingTimer } from '../../src/gpu/train/settingTimer.ts';
import { TrainerSlot } from '../../src/gpu/train/trainerSlot.ts';
import { chooseVariants, variantChoices } from '../../src/gpu/train/tuner.ts';
import {
  labelledImages,
  rates,
  type OurFigures,
  type TrainingPeer,
  type TrainingTask,
} from './trainingPeer.ts';

const model = 'resnet8';
/** A step of so many times as many images takes hardly more than as many times as long. */
const growth = 4;
/** Turns of the smaller and the larger batch. */
const turns = 2;
const budget = { seconds: 4, mostSeconds: 120, fewestSteps: 3 };
const callSeconds = 30;

/** Our engine on this browser's GPU. */
export class OurGpu {
  readonly #opened: OpenGpu;
  readonly #queue: GpuQueue;
  readonly #timer: GpuTimer;
  readonly #kernels: KernelSet;
  readonly #choices: VariantChoices;

  private constructor(
    opened: OpenGpu,
    queue: GpuQueue,
    timer: GpuTimer,
    kernels: KernelSet,
    choices: VariantChoices,
  ) {
    this.#opened = opened;
    this.#queue = queue;
    this.#timer = timer;
    this.#kernels = kernels;
    this.#choices = choices;
  }

  /** Opens a device and tunes the task's kernels for so long; 0 keeps the default ones. */
  static async open(task: TrainingTask, tuneSeconds: number): Promise<OurGpu> {
    const opened = await openDevice();
    if (opened.kind === 'failure') throw new Error(opened.failure.detail);
    const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
    const timer = await GpuTimer.create(queue);
    const kernels = new KernelSet(queue);
    const plan = trainingPlan(model, task.batch, task.input);
    const found =
      tuneSeconds > 0
        ? await chooseVariants(queue, timer, plan, { kernels, seconds: tuneSeconds })
        : [];
    return new OurGpu(opened, queue, timer, kernels, variantChoices(found));
  }

  async peer({ batch, input, images, labels }: TrainingTask): Promise<TrainingPeer> {
    const plan = trainingPlan(model, batch, input);
    const queue = this.#queue;
    const parameters = initialParameters(plan, 1);
    const trainer = await GpuTrainer.create(queue, plan, parameters, this.#kernels, this.#choices);
    trainer.setInput(images, labels, rates);
    let workPerSecond: number | undefined;
    return {
      name: 'rooftrace',
      warmUpSteps: 3,
      steps: async (count) => {
        const begin = performance.now();
        const passes = Array.from({ length: count }, () =>
          trainer.passes(undefined, workPerSecond),
        ).flat();
        await submitPasses(queue, passes);
        const losses = await trainer.readLosses();
        workPerSecond = (1000 * count * trainer.work) / (performance.now() - begin);
        return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
      },
    };
  }

  /** Measures ceilings as a quick run does, then steps of the task's batch and of a larger one in turn. */
  async figures(task: TrainingTask): Promise<OurFigures> {
    const samples: Sample[] = [];
    const context: GpuContext = {
      config: { ...defaultConfig, device: 'gpu' },
      environment: { ...this.#opened.environment, timer: this.#timer.source },
      queue: this.#queue,
      timer: this.#timer,
      emit: (event) => {
        if (event.kind === 'sample') samples.push(event.sample);
      },
      progress: () => {},
    };
    for (const probe of [arithmeticProbe, streamProbe, innerMemoryProbe]) await probe(context);
    const most = growth * task.batch;
    const images = { shape: task.input, count: most, ...labelledImages(most, task.classes) };
    const slot = new TrainerSlot(this.#queue, task.input);
    const timer = new SettingTimer(context, slot, images);
    const steps: StepTiming[] = [];
    for (let turn = 0; turn < turns; turn += 1)
      for (const batch of [task.batch, most]) {
        const visit = { setting: { model, batch }, budget } as const;
        const wantsCalls = turn === 0 && batch === task.batch;
        const timing = await timer.time(visit, this.#choices, wantsCalls ? callSeconds : undefined);
        steps.push({
          device: 'gpu',
          deviceId: context.environment.deviceId,
          model,
          inputChannels: task.input.channels,
          precision: 'f32',
          parameter: 'batch',
          value: batch,
          batch,
          timer: this.#timer.source,
          ...timing,
        });
      }
    slot.destroy();
    return { samples, steps };
  }
}
