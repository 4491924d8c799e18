import { opTensors } from '../../src/core/nn/opTensors.ts';
import type { TrainingPlan } from '../../src/core/nn/plan.ts';
import { runReferenceOp } from '../../src/core/nn/reference.ts';
import { ReferenceTensors } from '../../src/core/nn/reference/tensors.ts';
import { initialRunning } from '../../src/core/nn/initialParameters.ts';

/**
 * Gradients of one step by the float64 interpreter with what every op writes rounded to f32: the
 * least that a step in f32 can differ by, whoever computes it.
 */
export function roundedGradients(
  plan: TrainingPlan,
  parameters: Float64Array,
  images: ArrayLike<number>,
  labels: ArrayLike<number>,
): Map<string, Float64Array> {
  const tensors = new ReferenceTensors(plan.tensors, {
    parameter: Float64Array.from(parameters),
    gradient: new Float64Array(plan.parameterLength),
    velocity: new Float64Array(plan.parameterLength),
    running: initialRunning(plan),
  });
  tensors.get(plan.inputTensor).set(images);
  tensors.get(plan.labelsTensor).set(labels);
  for (const op of plan.ops) {
    if (op.kind === 'momentum.update') continue;
    runReferenceOp(op, tensors.all);
    for (const id of opTensors(op).writes) {
      const written = tensors.get(id);
      for (const [at, value] of written.entries()) written[at] = Math.fround(value);
    }
  }
  return new Map(plan.parameters.map(({ name, gradient }) => [name, tensors.get(gradient)]));
}
