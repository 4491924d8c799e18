import type { StepRates, TensorSpec, TrainingPlan } from './plan.ts';
import { momentumUpdate, runReferenceOp } from './reference.ts';

/** Runs training steps of a plan in float64: what every other executor must reproduce. */
export class ReferenceTrainer {
  readonly parameters: Float64Array;
  readonly gradients: Float64Array;
  private readonly velocities: Float64Array;
  /** By TensorId. Parameters, gradients and velocities are views of their buffers. */
  private readonly tensors: readonly Float64Array[];

  constructor(
    private readonly plan: TrainingPlan,
    initialParameters: Float64Array,
  ) {
    this.parameters = Float64Array.from(initialParameters);
    this.gradients = new Float64Array(plan.parameterLength);
    this.velocities = new Float64Array(plan.parameterLength);
    this.tensors = plan.tensors.map((spec) => this.allocate(spec));
  }

  /**
   * One forward, backward and update. `images` NHWC, `labels` one whole number an image.
   * Returns the mean loss before the update.
   */
  step(images: ArrayLike<number>, labels: ArrayLike<number>, rates: StepRates): number {
    this.tensor(this.plan.inputTensor).set(images);
    this.tensor(this.plan.labelsTensor).set(labels);
    for (const op of this.plan.ops) {
      if (op.kind === 'momentum.update')
        momentumUpdate(this.parameters, this.gradients, this.velocities, op.decayLength, rates);
      else runReferenceOp(op, this.tensors);
    }
    const losses = this.tensor(this.plan.lossesTensor);
    return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  }

  /** [batch, classes] of the last step; copied. */
  readLogits(): Float64Array {
    return this.tensor(this.plan.logitsTensor).slice();
  }

  /** The last step's gradients by parameter name; copied. */
  readGradients(): Map<string, Float64Array> {
    return new Map(
      this.plan.parameters.map(({ name, gradient }) => [name, this.tensor(gradient).slice()]),
    );
  }

  private tensor(id: number): Float64Array {
    const tensor = this.tensors[id];
    if (tensor === undefined) throw new Error(`no tensor ${id} in the plan`);
    return tensor;
  }

  private allocate({ storage, offset, length }: TensorSpec): Float64Array {
    switch (storage) {
      case 'parameter':
        return this.parameters.subarray(offset, offset + length);
      case 'gradient':
        return this.gradients.subarray(offset, offset + length);
      case 'velocity':
        return this.velocities.subarray(offset, offset + length);
      case 'input':
      case 'labels':
      case 'activation':
      case 'statistics':
        return new Float64Array(length);
    }
  }
}
