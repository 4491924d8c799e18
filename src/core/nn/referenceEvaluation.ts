import type { EvaluationPlan } from './plan.ts';
import { runReferenceOp } from './reference.ts';
import { ReferenceTensors } from './reference/tensors.ts';

/** What a model makes of a batch that it is not trained on. */
export interface Evaluation {
  readonly meanLoss: number;
  /** Images whose label has the largest logit. */
  readonly correct: number;
  /** [batch, classes] */
  readonly logits: Float64Array;
}

/**
 * Runs an evaluation plan in float64, on the parameters and running statistics of a trainer of the
 * same network. `images` NHWC, `labels` one whole number an image.
 */
export function evaluateReference(
  plan: EvaluationPlan,
  trained: { readonly parameters: Float64Array; readonly running: Float64Array },
  images: ArrayLike<number>,
  labels: ArrayLike<number>,
): Evaluation {
  const tensors = new ReferenceTensors(plan.tensors, {
    parameter: trained.parameters,
    running: trained.running,
  });
  tensors.get(plan.inputTensor).set(images);
  tensors.get(plan.labelsTensor).set(labels);
  for (const op of plan.ops) if (op.kind !== 'momentum.update') runReferenceOp(op, tensors.all);
  return {
    meanLoss: tensors.mean(plan.lossesTensor),
    correct: tensors.get(plan.correctTensor).reduce((sum, right) => sum + right, 0),
    logits: tensors.get(plan.logitsTensor),
  };
}
