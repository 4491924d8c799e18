import { initialRunning } from '../../src/core/nn/initialParameters.ts';
import { opTensors } from '../../src/core/nn/opTensors.ts';
import type { StepRates, TrainingPlan } from '../../src/core/nn/plan.ts';
import { momentumUpdate, runReferenceOp } from '../../src/core/nn/reference.ts';
import { ReferenceTensors } from '../../src/core/nn/reference/tensors.ts';
import { generator } from './random.ts';

/** Half the distance of neighbours in f32, relative. */
const roundoff = 2 ** -24;

/**
 * Training steps by the float64 interpreter with what every op writes rounded to f32, once: the least
 * that a step in f32 can differ by, whoever computes it. Which way a value is rounded is chance where
 * `seed` is given (Parker, Monte Carlo arithmetic, 1997): the spread over seeds is what different but
 * equally right orders of summing come to.
 */
export class RoundedTrainer {
  readonly #plan: TrainingPlan;
  readonly #tensors: ReferenceTensors;
  readonly #parameters: Float64Array;
  readonly #gradients: Float64Array;
  readonly #velocities: Float64Array;
  readonly #random: () => number;

  constructor(plan: TrainingPlan, parameters: Float64Array, seed?: number) {
    this.#plan = plan;
    this.#parameters = Float64Array.from(parameters);
    this.#gradients = new Float64Array(plan.parameterLength);
    this.#velocities = new Float64Array(plan.parameterLength);
    this.#tensors = new ReferenceTensors(plan.tensors, {
      parameter: this.#parameters,
      gradient: this.#gradients,
      velocity: this.#velocities,
      running: initialRunning(plan),
    });
    this.#random = seed === undefined ? () => 0.5 : generator(seed);
  }

  /** As `ReferenceTrainer.step`. */
  step(images: ArrayLike<number>, labels: ArrayLike<number>, rates: StepRates): number {
    this.#tensors.get(this.#plan.inputTensor).set(images);
    this.#tensors.get(this.#plan.labelsTensor).set(labels);
    for (const op of this.#plan.ops) {
      if (op.kind === 'momentum.update') {
        momentumUpdate(this.#parameters, this.#gradients, this.#velocities, op.decayLength, rates);
        this.#round(this.#parameters);
        this.#round(this.#velocities);
      } else {
        runReferenceOp(op, this.#tensors.all);
        for (const id of opTensors(op).writes) this.#round(this.#tensors.get(id));
      }
    }
    return this.#tensors.mean(this.#plan.lossesTensor);
  }

  /** The last step's gradients by parameter name; copied. */
  readGradients(): Map<string, Float64Array> {
    return new Map(
      this.#plan.parameters.map(({ name, gradient }) => [
        name,
        this.#tensors.get(gradient).slice(),
      ]),
    );
  }

  #round(values: Float64Array): void {
    for (const [at, value] of values.entries())
      values[at] = Math.fround(value * (1 + (2 * this.#random() - 1) * roundoff));
  }
}
