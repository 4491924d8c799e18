import { opCost } from '../../core/nn/cost.ts';
import type { BufferRange } from '../kernels/operands.ts';
import type { PlanOp, StepRates, TrainingPlan } from '../../core/nn/plan.ts';
import { readBuffer } from '../buffers.ts';
import type { KernelCall } from '../kernels/computeKernel.ts';
import { KernelSet } from '../kernels/kernelSet.ts';
import { opCalls, scratchLength } from '../kernels/opCalls.ts';
import { submitPasses, type TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import { planPasses, type CallWork } from './stepPasses.ts';
import { TrainerBuffers } from './trainerBuffers.ts';

/** One workgroup a tile: the default. */
export const oneWorkgroupPerTile = Infinity;

/** Slower than any device in use: the rate to plan with before a step was timed. */
const leastWorkPerSecond = 2e8;

interface StepCall extends CallWork {
  readonly call: KernelCall;
}

/** Runs training steps of a plan on the GPU. */
export class GpuTrainer {
  readonly plan: TrainingPlan;
  readonly #queue: GpuQueue;
  readonly #buffers: TrainerBuffers;
  readonly #calls: readonly StepCall[];

  private constructor(
    queue: GpuQueue,
    plan: TrainingPlan,
    buffers: TrainerBuffers,
    calls: readonly StepCall[],
  ) {
    this.#queue = queue;
    this.plan = plan;
    this.#buffers = buffers;
    this.#calls = calls;
  }

  /**
   * Allocates, compiles and writes the parameters (`plan.parameterLength` elements). `kernels` may
   * be shared by trainers of one device. Throws a `GpuFault` when memory or a shader is refused.
   */
  static async create(
    queue: GpuQueue,
    plan: TrainingPlan,
    initialParameters: ArrayLike<number>,
    kernels: KernelSet = new KernelSet(queue),
  ): Promise<GpuTrainer> {
    const buffers = await TrainerBuffers.create(queue, plan);
    try {
      const calls = await Promise.all(plan.ops.map((op) => stepCalls(op, kernels, buffers)));
      buffers.write(buffers.parameters, Float32Array.from(initialParameters));
      return new GpuTrainer(queue, plan, buffers, calls.flat());
    } catch (error) {
      buffers.destroy();
      throw error;
    }
  }

  /** The most tiles of any call: more workgroups than this change nothing. */
  get mostTiles(): number {
    return Math.max(...this.#calls.map(({ tiles }) => tiles));
  }

  /** Flops plus bytes of a step: what times are estimated from. */
  get work(): number {
    return this.#calls.reduce((sum, { work }) => sum + work, 0);
  }

  /** Sets the batch (NHWC, one class number an image) and the rates of the next steps. */
  setInput(images: ArrayLike<number>, labels: ArrayLike<number>, rates: StepRates): void {
    const { inputTensor, labelsTensor } = this.plan;
    this.#buffers.write(this.#tensor(inputTensor, images), Float32Array.from(images));
    this.#buffers.write(this.#tensor(labelsTensor, labels), Uint32Array.from(labels));
    this.#buffers.writeRates(rates);
  }

  /**
   * One step as passes for `submitPasses` or a timer, on at most `workgroups` workgroups a call.
   * `workPerSecond` is the device's rate at that number: passes are cut to stay short.
   */
  passes(
    workgroups = oneWorkgroupPerTile,
    workPerSecond = leastWorkPerSecond,
  ): readonly TimedPass[] {
    return planPasses(this.#calls, workPerSecond, workgroups).map(
      ({ slices, expectedSeconds }) => ({
        expectedSeconds,
        record: (pass) => {
          for (const slice of slices) this.#calls[slice.call]?.call.record(pass, slice, workgroups);
        },
      }),
    );
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

/** An op's calls with their shares of its work: what passes through scratch is the second call's. */
async function stepCalls(
  op: PlanOp,
  kernels: KernelSet,
  buffers: TrainerBuffers,
): Promise<StepCall[]> {
  const { executedFlops, bytes } = opCost(op);
  const calls = await opCalls(op, kernels, buffers);
  return calls.map((call, index) => ({
    call,
    tiles: call.tiles,
    work: index === 0 ? executedFlops + bytes.algorithmic : 4 * scratchLength(op),
  }));
}
