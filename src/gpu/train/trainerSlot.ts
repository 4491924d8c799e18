import { initialParameters } from '../../core/nn/initialParameters.ts';
import type { ImageShape } from '../../core/nn/plan.ts';
import { trainingPlan } from '../../core/nn/trainingPlan.ts';
import type { StepSetting } from '../../core/sweeps/sweep.ts';
import { defaultWorkgroupSize } from '../kernels/computeKernel.ts';
import type { VariantChoices } from '../kernels/convVariants.ts';
import { KernelSet } from '../kernels/kernelSet.ts';
import type { GpuQueue } from '../queue.ts';
import { GpuTrainer } from './gpuTrainer.ts';

const seed = 1;

/** Lanes of a workgroup that a device allows the kernels, rising. */
export function workgroupSizesOf(
  limits: Pick<
    GPUSupportedLimits,
    'maxComputeInvocationsPerWorkgroup' | 'maxComputeWorkgroupSizeX'
  >,
): readonly number[] {
  const most = Math.min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX);
  return [32, 64, 128, 256, 512].filter((size) => size <= most);
}

/** Makes trainers for settings, one at a time: two large ones need not fit. */
export class TrainerSlot {
  readonly #queue: GpuQueue;
  readonly #input: ImageShape;
  readonly #kernels = new Map<number, KernelSet>();
  #held: { readonly key: string; readonly trainer: GpuTrainer } | undefined;

  constructor(queue: GpuQueue, input: ImageShape) {
    this.#queue = queue;
    this.#input = input;
  }

  /** The kernels of a workgroup size, compiled when they are first used. */
  kernels(workgroupSize = defaultWorkgroupSize): KernelSet {
    const known = this.#kernels.get(workgroupSize);
    if (known !== undefined) return known;
    const kernels = new KernelSet(this.#queue, workgroupSize);
    this.#kernels.set(workgroupSize, kernels);
    return kernels;
  }

  /** Seconds during which kernels were being compiled so far. */
  get compileSeconds(): number {
    return [...this.#kernels.values()].reduce((sum, kernels) => sum + kernels.compileSeconds, 0);
  }

  /**
   * The trainer for a setting's model, batch and workgroup size: the last one where it is the same,
   * else a new one in its place. Throws a `GpuFault` when memory or a shader is refused.
   */
  async trainer(
    { model, batch, workgroupSize }: StepSetting,
    choices: VariantChoices,
  ): Promise<GpuTrainer> {
    const key = JSON.stringify([model, batch, workgroupSize, choices]);
    if (this.#held?.key === key) return this.#held.trainer;
    this.#clear();
    const plan = trainingPlan(model, batch, this.#input);
    const trainer = await GpuTrainer.create(
      this.#queue,
      plan,
      initialParameters(plan, seed),
      this.kernels(workgroupSize),
      choices,
    );
    this.#held = { key, trainer };
    return trainer;
  }

  destroy(): void {
    this.#clear();
    for (const kernels of this.#kernels.values()) kernels.destroy();
  }

  #clear(): void {
    this.#held?.trainer.destroy();
    this.#held = undefined;
  }
}
