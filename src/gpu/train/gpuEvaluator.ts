import { memoryPlan } from '../../core/nn/memoryPlan.ts';
import type { EvaluationPlan, TensorId } from '../../core/nn/plan.ts';
import { readBuffer } from '../buffers.ts';
import type { VariantChoices } from '../kernels/convVariants.ts';
import type { KernelSet } from '../kernels/kernelSet.ts';
import { submitPasses } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import { PlanCalls } from './planCalls.ts';
import { TrainerBuffers } from './trainerBuffers.ts';
import { bindableSize } from './trainerMemory.ts';

/** Runs an evaluation plan on the GPU, on the parameters and running statistics of a trainer. */
export class GpuEvaluator {
  readonly plan: EvaluationPlan;
  readonly #queue: GpuQueue;
  readonly #buffers: TrainerBuffers;
  readonly #calls: PlanCalls;

  private constructor(
    queue: GpuQueue,
    plan: EvaluationPlan,
    buffers: TrainerBuffers,
    calls: PlanCalls,
  ) {
    this.#queue = queue;
    this.plan = plan;
    this.#buffers = buffers;
    this.#calls = calls;
  }

  /** `lent` must be of the same network. Throws a `GpuFault` when memory or a shader is refused. */
  static async create(
    queue: GpuQueue,
    plan: EvaluationPlan,
    kernels: KernelSet,
    lent: TrainerBuffers,
    choices: VariantChoices = {},
  ): Promise<GpuEvaluator> {
    const largestArenaSize = bindableSize(queue.device.limits);
    const memory = memoryPlan(plan, { arenas: 'separate', largestArenaSize });
    const buffers = await TrainerBuffers.create(queue, plan, { memory, lent });
    try {
      return new GpuEvaluator(
        queue,
        plan,
        buffers,
        await PlanCalls.create(plan.ops, kernels, buffers, choices),
      );
    } catch (error) {
      buffers.destroy();
      throw error;
    }
  }

  /** Of a batch (NHWC, one class number an image): each image's loss, and 1 where it is told right. */
  async evaluate(
    images: Float32Array<ArrayBuffer>,
    labels: Uint32Array<ArrayBuffer>,
  ): Promise<{ readonly losses: Float32Array; readonly correct: Float32Array }> {
    const { inputTensor, labelsTensor, lossesTensor, correctTensor } = this.plan;
    this.#buffers.write(this.#buffers.tensor(inputTensor), images);
    this.#buffers.write(this.#buffers.tensor(labelsTensor), labels);
    await submitPasses(this.#queue, this.#calls.passes());
    return { losses: await this.#read(lossesTensor), correct: await this.#read(correctTensor) };
  }

  /** Frees the evaluator's memory; the trainer's stays. */
  destroy(): void {
    this.#buffers.destroy();
  }

  async #read(id: TensorId): Promise<Float32Array> {
    const { buffer, offset, size } = this.#buffers.tensor(id);
    return new Float32Array(await readBuffer(this.#queue, buffer, offset, size));
  }
}
