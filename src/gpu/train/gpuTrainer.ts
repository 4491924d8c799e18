import { initialRunning } from '../../core/nn/initialParameters.ts';
import type { BufferRange } from '../kernels/operands.ts';
import type { EvaluationPlan, StepRates, TrainingPlan } from '../../core/nn/plan.ts';
import type { CallTiming } from '../../core/run/events.ts';
import { readBuffer } from '../buffers.ts';
import type { VariantChoices } from '../kernels/convVariants.ts';
import { KernelSet } from '../kernels/kernelSet.ts';
import { submitPasses, type TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import type { GpuTimer } from '../timer.ts';
import { timeCalls } from './callTimes.ts';
import { GpuEvaluator } from './gpuEvaluator.ts';
import { oneWorkgroupPerTile, PlanCalls } from './planCalls.ts';
import { TrainerBuffers } from './trainerBuffers.ts';
import { bindableSize, trainerMemory } from './trainerMemory.ts';

/** Runs training steps of a plan on the GPU. */
export class GpuTrainer {
  readonly plan: TrainingPlan;
  readonly #queue: GpuQueue;
  readonly #buffers: TrainerBuffers;
  readonly #kernels: KernelSet;
  readonly #calls: PlanCalls;

  private constructor(
    queue: GpuQueue,
    plan: TrainingPlan,
    buffers: TrainerBuffers,
    kernels: KernelSet,
    calls: PlanCalls,
  ) {
    this.#queue = queue;
    this.plan = plan;
    this.#buffers = buffers;
    this.#kernels = kernels;
    this.#calls = calls;
  }

  /**
   * Allocates, compiles and writes the parameters (`plan.parameterLength` elements). `kernels` may
   * be shared by trainers of one device; `choices` are the variants that a tuner found. Throws a
   * `GpuFault` when memory or a shader is refused.
   */
  static async create(
    queue: GpuQueue,
    plan: TrainingPlan,
    initialParameters: ArrayLike<number>,
    kernels: KernelSet = new KernelSet(queue),
    choices: VariantChoices = {},
  ): Promise<GpuTrainer> {
    const memory = trainerMemory(plan, bindableSize(queue.device.limits));
    const buffers = await TrainerBuffers.create(queue, plan, { memory });
    try {
      const calls = await PlanCalls.create(plan.ops, kernels, buffers, choices);
      buffers.write(buffers.parameters, Float32Array.from(initialParameters));
      buffers.write(buffers.running, Float32Array.from(initialRunning(plan)));
      return new GpuTrainer(queue, plan, buffers, kernels, calls);
    } catch (error) {
      buffers.destroy();
      throw error;
    }
  }

  /** The most tiles of any call: more workgroups than this change nothing. */
  get mostTiles(): number {
    return this.#calls.mostTiles;
  }

  /** Flops plus bytes of a step: what times are estimated from. */
  get work(): number {
    return this.#calls.work;
  }

  /** Bytes that a step's kernels load and store. */
  get issuedBytes(): number {
    return this.#calls.calls.reduce((sum, { call }) => sum + call.issuedBytes, 0);
  }

  /** Bytes of the trainer's buffers. */
  get memorySize(): number {
    return this.#buffers.size;
  }

  /** Sets the batch (NHWC, one class number an image) and the rates of the next steps. */
  setInput(images: ArrayLike<number>, labels: ArrayLike<number>, rates: StepRates): void {
    const { inputTensor, labelsTensor } = this.plan;
    this.#buffers.write(this.#tensor(inputTensor, images), Float32Array.from(images));
    this.#buffers.write(this.#tensor(labelsTensor, labels), Uint32Array.from(labels));
    this.#buffers.writeRates(rates);
  }

  /** One step as passes: see `PlanCalls.passes`. */
  passes(workgroups?: number, workPerSecond?: number): readonly TimedPass[] {
    return this.#calls.passes(workgroups, workPerSecond);
  }

  /**
   * Times each kernel call by itself: see `timeCalls`; `workPerSecond` is the device's rate. The
   * rates are zero meanwhile, so that no call changes the parameters: set the input again before
   * the next step.
   */
  async timeCalls(
    timer: GpuTimer,
    mostSeconds: number,
    workPerSecond?: number,
  ): Promise<CallTiming[] | undefined> {
    this.#buffers.writeRates({ learningRate: 0, momentum: 0, weightDecay: 0 });
    return timeCalls(timer, this.#calls, mostSeconds, workPerSecond);
  }

  /** An evaluator that always sees this trainer's current parameters; destroy it first. */
  async evaluator(plan: EvaluationPlan, choices: VariantChoices = {}): Promise<GpuEvaluator> {
    return GpuEvaluator.create(this.#queue, plan, this.#kernels, this.#buffers, choices);
  }

  /** One forward, backward and update, on at most `workgroups` workgroups a call. */
  async step(
    images: ArrayLike<number>,
    labels: ArrayLike<number>,
    rates: StepRates,
    workgroups = oneWorkgroupPerTile,
  ): Promise<void> {
    this.setInput(images, labels, rates);
    await submitPasses(this.#queue, this.passes(workgroups));
  }

  /** [batch]: each image's loss before the last update; their mean is the training loss. */
  async readLosses(): Promise<Float32Array> {
    return this.#read(this.#buffers.tensor(this.plan.lossesTensor));
  }

  /** [batch, classes] of the last step. */
  async readLogits(): Promise<Float32Array> {
    return this.#read(this.#buffers.tensor(this.plan.logitsTensor));
  }

  /** The last step's gradients by parameter name. */
  async readGradients(): Promise<Map<string, Float32Array>> {
    const all = await this.#read(this.#buffers.gradients);
    return this.#byName(all);
  }

  /** The parameters by name. */
  async readParameters(): Promise<Map<string, Float32Array>> {
    const all = await this.#read(this.#buffers.parameters);
    return this.#byName(all);
  }

  /** Frees the trainer's memory; the kernels stay. */
  destroy(): void {
    this.#buffers.destroy();
  }

  #tensor(id: number, content: ArrayLike<number>): BufferRange {
    const spec = this.plan.tensors[id];
    if (spec?.length !== content.length)
      throw new RangeError(`${spec?.name} has ${spec?.length} elements, not ${content.length}`);
    return this.#buffers.tensor(id);
  }

  #byName(all: Float32Array): Map<string, Float32Array> {
    return new Map(
      this.plan.parameters.map(({ name, offset, length }) => [
        name,
        all.subarray(offset, offset + length),
      ]),
    );
  }

  async #read({ buffer, offset, size }: BufferRange): Promise<Float32Array> {
    return new Float32Array(await readBuffer(this.#queue, buffer, offset, size));
  }
}
