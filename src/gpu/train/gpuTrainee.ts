import { evaluationPlan } from '../../core/nn/evaluationPlan.ts';
import { initialParameters } from '../../core/nn/initialParameters.ts';
import type { ImageShape, StepRates } from '../../core/nn/plan.ts';
import { trainingPlan } from '../../core/nn/trainingPlan.ts';
import type { Recipe } from '../../core/training/recipe.ts';
import type { Evaluation, ImageSet, Trainee } from '../../core/training/trainingRun.ts';
import type { VariantChoices } from '../kernels/convVariants.ts';
import { KernelSet } from '../kernels/kernelSet.ts';
import type { GpuQueue } from '../queue.ts';
import type { GpuEvaluator } from './gpuEvaluator.ts';
import { GpuTrainer } from './gpuTrainer.ts';

/** Images of an evaluation's batch; a set of another length ends with images that do not count. */
const evaluationBatch = 128;

/** A network of the zoo that trains on the GPU. */
export class GpuTrainee implements Trainee {
  readonly #kernels: KernelSet;
  readonly #trainer: GpuTrainer;
  readonly #evaluator: GpuEvaluator;

  private constructor(kernels: KernelSet, trainer: GpuTrainer, evaluator: GpuEvaluator) {
    this.#kernels = kernels;
    this.#trainer = trainer;
    this.#evaluator = evaluator;
  }

  /** `choices` are variants that a tuner found. Throws a `GpuFault` when memory or a shader is refused. */
  static async create(
    queue: GpuQueue,
    { model, batch, seed }: Recipe,
    input: ImageShape,
    choices: VariantChoices = {},
  ): Promise<GpuTrainee> {
    const plan = trainingPlan(model, batch, input);
    const kernels = new KernelSet(queue);
    const parameters = initialParameters(plan, seed);
    const trainer = await GpuTrainer.create(queue, plan, parameters, kernels, choices);
    try {
      const evaluation = evaluationPlan(model, evaluationBatch, input);
      const evaluator = await trainer.evaluator(evaluation, choices);
      return new GpuTrainee(kernels, trainer, evaluator);
    } catch (error) {
      trainer.destroy();
      throw error;
    }
  }

  async step(images: Float32Array, labels: Uint32Array, rates: StepRates): Promise<number> {
    await this.#trainer.step(images, labels, rates);
    const losses = await this.#trainer.readLosses();
    return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  }

  async evaluate({ count, images, labels }: ImageSet): Promise<Evaluation> {
    const length = images.length / count;
    let correct = 0;
    for (let first = 0; first < count; first += evaluationBatch) {
      const counted = Math.min(evaluationBatch, count - first);
      const batchImages = new Float32Array(evaluationBatch * length);
      const batchLabels = new Uint32Array(evaluationBatch);
      batchImages.set(images.subarray(first * length, (first + counted) * length));
      batchLabels.set(labels.subarray(first, first + counted));
      const result = await this.#evaluator.evaluate(batchImages, batchLabels);
      correct += result.correct.subarray(0, counted).reduce((sum, right) => sum + right, 0);
    }
    return { correct, count };
  }

  destroy(): void {
    this.#evaluator.destroy();
    this.#trainer.destroy();
    this.#kernels.destroy();
  }
}
