import { initialRunning } from './initialParameters.ts';
import type { StepRates, TrainingPlan } from './plan.ts';
import { momentumUpdate, runReferenceOp } from './reference.ts';
import { ReferenceTensors } from './reference/tensors.ts';

/** Runs training steps of a plan in float64: what every other executor must reproduce. */
export class ReferenceTrainer {
  readonly parameters: Float64Array;
  readonly gradients: Float64Array;
  /** Running statistics of all batch-norms. */
  readonly running: Float64Array;
  private readonly velocities: Float64Array;
  private readonly tensors: ReferenceTensors;

  constructor(
    private readonly plan: TrainingPlan,
    initialParameters: Float64Array,
  ) {
    this.parameters = Float64Array.from(initialParameters);
    this.gradients = new Float64Array(plan.parameterLength);
    this.velocities = new Float64Array(plan.parameterLength);
    this.running = initialRunning(plan);
    this.tensors = new ReferenceTensors(plan.tensors, {
      parameter: this.parameters,
      gradient: this.gradients,
      velocity: this.velocities,
      running: this.running,
    });
  }

  /**
   * One forward, backward and update. `images` NHWC, `labels` one whole number an image.
   * Returns the mean loss before the update.
   */
  step(images: ArrayLike<number>, labels: ArrayLike<number>, rates: StepRates): number {
    this.tensors.get(this.plan.inputTensor).set(images);
    this.tensors.get(this.plan.labelsTensor).set(labels);
    for (const op of this.plan.ops) {
      if (op.kind === 'momentum.update')
        momentumUpdate(this.parameters, this.gradients, this.velocities, op.decayLength, rates);
      else runReferenceOp(op, this.tensors.all);
    }
    return this.tensors.mean(this.plan.lossesTensor);
  }

  /** [batch, classes] of the last step; copied. */
  readLogits(): Float64Array {
    return this.tensors.get(this.plan.logitsTensor).slice();
  }

  /** The last step's gradients by parameter name; copied. */
  readGradients(): Map<string, Float64Array> {
    return new Map(
      this.plan.parameters.map(({ name, gradient }) => [name, this.tensors.get(gradient).slice()]),
    );
  }
}
