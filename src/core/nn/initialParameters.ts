import type { EvaluationPlan, TrainingPlan } from './plan.ts';
import { linearCongruential } from './random.ts';

/**
 * The parameter buffer before training, [plan.parameterLength]: weights drawn in the order of
 * `plan.parameters` as (2u - 1) sqrt(6 / fanIn), gamma 1, beta and bias 0, gaps 0
 * (tests/golden/README.md).
 */
export function initialParameters(plan: TrainingPlan, seed: number): Float64Array {
  const next = linearCongruential(seed);
  const buffer = new Float64Array(plan.parameterLength);
  for (const { offset, length, initial } of plan.parameters) {
    const target = buffer.subarray(offset, offset + length);
    switch (initial.kind) {
      case 'draw': {
        const bound = Math.sqrt(6 / initial.fanIn);
        for (let at = 0; at < length; at += 1) target[at] = (2 * next() - 1) * bound;
        break;
      }
      case 'one':
        target.fill(1);
        break;
      case 'zero':
        break;
    }
  }
  return buffer;
}

/** The buffer of running statistics before training, [plan.runningLength]: means 0, variances 1. */
export function initialRunning(plan: TrainingPlan | EvaluationPlan): Float64Array {
  const buffer = new Float64Array(plan.runningLength);
  for (const { storage, offset, length } of plan.tensors)
    if (storage === 'running') buffer.fill(1, offset + length / 2, offset + length);
  return buffer;
}
