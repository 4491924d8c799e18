import { initialRunning } from '../../src/core/nn/initialParameters.ts';
import type { TrainingPlan } from '../../src/core/nn/plan.ts';
import { runReferenceOp } from '../../src/core/nn/reference.ts';
import { ReferenceTensors } from '../../src/core/nn/reference/tensors.ts';

/** A value before a ReLU. */
export interface NearZero {
  /** Index in the plan's ops, and of the element. */
  readonly op: number;
  readonly at: number;
  readonly value: number;
}

/**
 * One forward and backward pass by the float64 interpreter: the value before a ReLU that is nearest to
 * zero, and the gradients by parameter name. Where `turned` is given, that value is taken to be on the
 * other side of its ReLU's zero, as a rounding may put it.
 */
export function passWithSigns(
  plan: TrainingPlan,
  parameters: Float64Array,
  images: ArrayLike<number>,
  labels: ArrayLike<number>,
  turned?: NearZero,
): { readonly nearest: NearZero; readonly gradients: Map<string, Float64Array> } {
  const tensors = new ReferenceTensors(plan.tensors, {
    parameter: Float64Array.from(parameters),
    gradient: new Float64Array(plan.parameterLength),
    velocity: new Float64Array(plan.parameterLength),
    running: initialRunning(plan),
  });
  tensors.get(plan.inputTensor).set(images);
  tensors.get(plan.labelsTensor).set(labels);
  let nearest: NearZero = { op: -1, at: -1, value: Infinity };
  for (const [index, op] of plan.ops.entries()) {
    if (op.kind === 'momentum.update') continue;
    if (op.kind === 'batchNorm.normalize' && op.activation === 'relu') {
      runReferenceOp({ ...op, activation: 'none' }, tensors.all);
      for (const [at, value] of tensors.get(op.output).entries())
        if (Math.abs(value) < Math.abs(nearest.value)) nearest = { op: index, at, value };
    }
    runReferenceOp(op, tensors.all);
    // The sign of the output is what the backward pass goes by.
    if (turned?.op === index && op.kind === 'batchNorm.normalize')
      tensors.get(op.output)[turned.at] = turned.value < 0 ? Number.MIN_VALUE : 0;
  }
  const gradients = new Map(
    plan.parameters.map(({ name, gradient }) => [name, tensors.get(gradient).slice()]),
  );
  return { nearest, gradients };
}
