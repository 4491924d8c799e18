import { opCost } from '../../core/nn/cost.ts';
import { initialParameters } from '../../core/nn/initialParameters.ts';
import type { TrainingPlan } from '../../core/nn/plan.ts';
import type { TuningChoice } from '../../core/run/events.ts';
import { successiveHalving } from '../../core/tuning/successiveHalving.ts';
import { worthwhile } from '../../core/tuning/worthwhile.ts';
import { GpuFault } from '../faults.ts';
import type { KernelCall } from '../kernels/computeKernel.ts';
import { convCalls } from '../kernels/convCalls.ts';
import {
  convKey,
  convVariants,
  isConv,
  variantName,
  type ConvOp,
  type ConvVariant,
  type VariantChoices,
  type VariantSupport,
} from '../kernels/convVariants.ts';
import type { KernelSet } from '../kernels/kernelSet.ts';
import type { GpuQueue } from '../queue.ts';
import type { GpuTimer } from '../timer.ts';
import { GpuTrainer } from './gpuTrainer.ts';
import { StepTimer } from './stepTimer.ts';
import { TrainerBuffers } from './trainerBuffers.ts';
import { bindableSize, trainerMemory } from './trainerMemory.ts';

/** What tuning found, and what a step gained by it. */
export interface TunedPlan {
  /** To be kept and given to the next `KernelSet` of this device. */
  readonly choices: VariantChoices;
  readonly found: readonly TuningChoice[];
  /** Seconds of warm steps before and after, taken in turn. */
  readonly defaultSeconds: readonly number[];
  readonly tunedSeconds: readonly number[];
}

export interface TuneOptions {
  /** The kernels of the queue's device; what is compiled for a variant is kept there. */
  readonly kernels: KernelSet;
  /** For the variants; the few steps at the end come on top. */
  readonly seconds: number;
  /** What earlier runs chose on this device: those shapes are not tried again. */
  readonly earlier?: readonly TuningChoice[];
  readonly onProgress?: (fraction: number) => void;
}

/** Aimed at for one timing of a variant: long against what a pass costs. */
const passSeconds = 0.008;
const stepsTimed = 3;
/** A dispatch of so many flops takes 50 ms at 2 GFLOP/s. */
const mostFlops = 1e8;

interface Shape {
  readonly key: string;
  readonly op: ConvOp;
  /** Executed flops of all ops of this shape in a step. */
  readonly flops: number;
}

/**
 * Finds the fastest variant for each shape of convolution in a plan, the heaviest shapes first and
 * each with its share of the budget, compiling included. A shape that the budget does not reach keeps
 * its default. Throws a `GpuFault` at a fault of the device, `signal.reason` at a cancel.
 */
export async function chooseVariants(
  queue: GpuQueue,
  timer: GpuTimer,
  plan: TrainingPlan,
  { kernels, seconds, earlier = [], onProgress }: TuneOptions,
): Promise<readonly TuningChoice[]> {
  const memory = trainerMemory(plan, bindableSize(queue.device.limits));
  const buffers = await TrainerBuffers.create(queue, plan, { memory });
  const found: TuningChoice[] = [];
  try {
    const tuner = new ShapeTuner(kernels, buffers, timer);
    const shapes = heaviestFirst(plan);
    const support = await kernels.support();
    const known = shapes.map((shape) => earlierChoice(shape, support, earlier));
    let flopsLeft = shapes.reduce((sum, { flops }, at) => sum + (known[at] ? 0 : flops), 0);
    const end = performance.now() + 1000 * seconds;
    for (const [at, shape] of shapes.entries()) {
      const choice = known[at];
      if (choice !== undefined) {
        found.push(choice);
        continue;
      }
      onProgress?.(at / shapes.length);
      const left = end - performance.now();
      if (left <= 0) continue;
      found.push(await tuner.tune(shape, performance.now() + (left * shape.flops) / flopsLeft));
      flopsLeft -= shape.flops;
    }
  } finally {
    buffers.destroy();
  }
  onProgress?.(1);
  return found;
}

/** Choices as kernels are made by them. */
export function variantChoices(found: readonly TuningChoice[]): VariantChoices {
  return Object.fromEntries(found.map(({ key, variant }) => [key, variant]));
}

/** Chooses variants for a plan, then times steps with the default ones and with these in turn. */
export async function tunePlan(
  queue: GpuQueue,
  timer: GpuTimer,
  plan: TrainingPlan,
  options: TuneOptions,
): Promise<TunedPlan> {
  const found = await chooseVariants(queue, timer, plan, options);
  const choices = variantChoices(found);
  // What changes nothing is not timed against itself.
  const changes = found.some(({ variant, defaultVariant }) => variant !== defaultVariant);
  const sides = changes ? [{}, choices] : [{}];
  const [defaultSeconds = [], tunedSeconds = defaultSeconds] = await timeSides(
    queue,
    timer,
    plan,
    options.kernels,
    sides,
  );
  return { choices, found, defaultSeconds, tunedSeconds };
}

function heaviestFirst(plan: TrainingPlan): readonly Shape[] {
  const shapes = new Map<string, Shape>();
  for (const op of plan.ops) {
    if (!isConv(op)) continue;
    const key = convKey(op);
    const flops = (shapes.get(key)?.flops ?? 0) + opCost(op).executedFlops;
    shapes.set(key, { key, op, flops });
  }
  return [...shapes.values()].toSorted((a, b) => b.flops - a.flops);
}

/** What an earlier run chose for a shape, where it can still be had. */
function earlierChoice(
  { key, op }: Shape,
  support: VariantSupport,
  earlier: readonly TuningChoice[],
): TuningChoice | undefined {
  const offered = new Set(convVariants(op, support).map(variantName));
  return earlier.find((choice) => choice.key === key && offered.has(choice.variant));
}

/** Races the variants of one shape after another. */
class ShapeTuner {
  readonly #kernels: KernelSet;
  readonly #buffers: TrainerBuffers;
  readonly #timer: GpuTimer;

  constructor(kernels: KernelSet, buffers: TrainerBuffers, timer: GpuTimer) {
    this.#kernels = kernels;
    this.#buffers = buffers;
    this.#timer = timer;
  }

  async tune({ key, op }: Shape, end: number): Promise<TuningChoice> {
    const variants = convVariants(op, await this.#kernels.support());
    const race = successiveHalving(variants, () => performance.now() < end);
    let step = race.next();
    while (step.done !== true) step = race.next(await this.#time(op, step.value));
    const ranked = step.value;
    const first = ranked.find(({ candidate }) => candidate === variants[0])!;
    const best = worthwhile(ranked, first);
    return {
      key,
      defaultVariant: variantName(first.candidate),
      variant: variantName(best.candidate),
      defaultSeconds: first.seconds,
      seconds: best.seconds,
    };
  }

  /** Seconds of an op by a variant; Infinity where the browser refuses its shader. */
  async #time(op: ConvOp, variant: ConvVariant): Promise<number> {
    try {
      const calls = await convCalls(op, variant, this.#kernels, this.#buffers);
      return await this.#timeCalls(calls, Math.min(1, mostFlops / opCost(op).executedFlops));
    } catch (error) {
      if (error instanceof GpuFault && error.fault.kind === 'validation') return Infinity;
      throw error;
    }
  }

  /** A share of a call's tiles stands for all of them: no dispatch may take long. */
  async #timeCalls(calls: readonly KernelCall[], share: number): Promise<number> {
    const ends = calls.map(({ tiles }) => Math.ceil(share * tiles));
    const pass = (repeats: number, seconds: number) => ({
      expectedSeconds: repeats * seconds,
      dispatchSeconds: seconds,
      record: (encoder: GPUComputePassEncoder) => {
        for (let repeat = 0; repeat < repeats; repeat += 1)
          for (const [at, call] of calls.entries())
            call.record(encoder, { first: 0, end: ends[at]! }, Infinity);
      },
    });
    const rough = await this.#timer.roughSeconds(pass(1, 0).record);
    const wanted = this.#timer.passSeconds(passSeconds);
    const repeats = Math.min(1000, Math.ceil(wanted / Math.max(rough, 1e-6)));
    const { seconds, problem } = await this.#timer.measure([
      pass(repeats, rough),
      pass(repeats, rough),
    ]);
    const run = (ends[0]! / calls[0]!.tiles) * repeats;
    return problem === undefined ? Math.min(...seconds) / run : Infinity;
  }
}

/** Small enough that some steps on arbitrary images stay finite. */
const rates = { learningRate: 0.01, momentum: 0.9, weightDecay: 5e-4 };

/** Seconds of warm steps with each side's variants, taken in turn. */
async function timeSides(
  queue: GpuQueue,
  timer: GpuTimer,
  plan: TrainingPlan,
  kernels: KernelSet,
  sides: readonly VariantChoices[],
): Promise<readonly (readonly number[])[]> {
  const times = sides.map((): number[] => []);
  const trainers: GpuTrainer[] = [];
  try {
    const parameters = initialParameters(plan, 1);
    for (const side of sides) {
      const trainer = await GpuTrainer.create(queue, plan, parameters, kernels, side);
      trainers.push(trainer);
      const { input, batch } = plan;
      const length = batch * input.height * input.width * input.channels;
      const images = Float32Array.from({ length }, (_, at) => Math.sin(at));
      const labels = Uint32Array.from({ length: batch }, (_, image) => image % plan.classes);
      trainer.setInput(images, labels, rates);
    }
    const stepTimer = new StepTimer(queue, timer);
    for (let step = 0; step <= stepsTimed; step += 1)
      for (const [side, trainer] of trainers.entries()) {
        const { seconds, problem } = await stepTimer.time(trainer, Infinity);
        // The first step is cold.
        if (step > 0 && problem === undefined) times[side]?.push(seconds);
      }
  } finally {
    for (const trainer of trainers) trainer.destroy();
  }
  return times;
}
