import type { PlanOp, StepRates, TensorId } from './plan.ts';
import {
  normBackwardInput,
  normBackwardStatistics,
  normalize,
  normStatistics,
  statisticsOfRunning,
  updateRunning,
} from './reference/batchNorm.ts';
import {
  convolve,
  convolveBackwardInput,
  convolveBackwardWeight,
} from './reference/convolution.ts';
import {
  averagePool,
  averagePoolBackward,
  concatenate,
  maxPool,
  maxPoolBackward,
  split,
  sum,
} from './reference/branches.ts';
import {
  classify,
  dense,
  denseBackwardInput,
  denseBackwardWeight,
  globalAveragePool,
  globalAveragePoolBackward,
  softmaxCrossEntropy,
} from './reference/head.ts';

/** The ops that name their tensors; the update works on whole buffers (`momentumUpdate`). */
export type TensorOp = Exclude<PlanOp, { readonly kind: 'momentum.update' }>;

/**
 * Runs one op of a plan in float64. `tensors` are indexed by TensorId; labels are whole numbers.
 * The reference that every kernel is compared with: written for reading, not for speed.
 */
export function runReferenceOp(op: TensorOp, tensors: readonly Float64Array[]): void {
  const at = (id: TensorId): Float64Array => {
    const tensor = tensors[id];
    if (tensor === undefined) throw new Error(`${op.name} (${op.kind}): no tensor ${id}`);
    return tensor;
  };
  const maybe = (id: TensorId | undefined): Float64Array | undefined =>
    id === undefined ? undefined : at(id);
  switch (op.kind) {
    case 'conv2d.forward':
      convolve(op.geometry, at(op.input), at(op.weight), at(op.output));
      return;
    case 'conv2d.backwardInput':
      convolveBackwardInput(
        op.geometry,
        at(op.outputGradient),
        at(op.weight),
        maybe(op.addend),
        at(op.inputGradient),
      );
      return;
    case 'conv2d.backwardWeight':
      convolveBackwardWeight(
        op.geometry,
        at(op.input),
        at(op.outputGradient),
        at(op.weightGradient),
      );
      return;
    case 'batchNorm.statistics':
      normStatistics(op.geometry, at(op.input), at(op.statistics));
      return;
    case 'batchNorm.updateRunning':
      updateRunning(op.geometry, op.momentum, at(op.statistics), at(op.running));
      return;
    case 'batchNorm.runningStatistics':
      statisticsOfRunning(op.geometry, at(op.running), at(op.statistics));
      return;
    case 'batchNorm.normalize':
      normalize(op.geometry, op.activation, {
        input: at(op.input),
        statistics: at(op.statistics),
        gamma: at(op.gamma),
        beta: at(op.beta),
        residual: maybe(op.residual),
        output: at(op.output),
      });
      return;
    case 'batchNorm.backwardStatistics':
      normBackwardStatistics(op.geometry, op.activation, {
        input: at(op.input),
        statistics: at(op.statistics),
        output: at(op.output),
        outputGradient: at(op.outputGradient),
        gammaGradient: at(op.gammaGradient),
        betaGradient: at(op.betaGradient),
      });
      return;
    case 'batchNorm.backwardInput':
      normBackwardInput(op.geometry, op.activation, {
        input: at(op.input),
        statistics: at(op.statistics),
        gamma: at(op.gamma),
        output: at(op.output),
        outputGradient: at(op.outputGradient),
        gammaGradient: at(op.gammaGradient),
        betaGradient: at(op.betaGradient),
        inputGradient: at(op.inputGradient),
        residualGradient: maybe(op.residualGradient),
      });
      return;
    case 'concat.forward':
      concatenate(op.geometry, op.inputs.map(at), at(op.output));
      return;
    case 'concat.backward':
      split(op.geometry, at(op.outputGradient), op.inputGradients.map(at));
      return;
    case 'maxPool.forward':
      maxPool(op.geometry, at(op.input), at(op.output), at(op.taps));
      return;
    case 'maxPool.backward':
      maxPoolBackward(op.geometry, at(op.outputGradient), at(op.taps), at(op.inputGradient));
      return;
    case 'averagePool.forward':
      averagePool(op.geometry, at(op.input), at(op.output));
      return;
    case 'averagePool.backward':
      averagePoolBackward(op.geometry, at(op.outputGradient), at(op.inputGradient));
      return;
    case 'add':
      sum(at(op.left), at(op.right), at(op.sum));
      return;
    case 'globalAveragePool.forward':
      globalAveragePool(op.geometry, at(op.input), at(op.output));
      return;
    case 'globalAveragePool.backward':
      globalAveragePoolBackward(op.geometry, at(op.outputGradient), at(op.inputGradient));
      return;
    case 'dense.forward':
      dense(op.geometry, at(op.input), at(op.weight), at(op.bias), at(op.output));
      return;
    case 'dense.backwardInput':
      denseBackwardInput(op.geometry, at(op.outputGradient), at(op.weight), at(op.inputGradient));
      return;
    case 'dense.backwardWeight':
      denseBackwardWeight(
        op.geometry,
        at(op.input),
        at(op.outputGradient),
        at(op.weightGradient),
        at(op.biasGradient),
      );
      return;
    case 'softmaxCrossEntropy':
      softmaxCrossEntropy(
        op.batch,
        op.classes,
        at(op.logits),
        at(op.labels),
        at(op.losses),
        at(op.logitsGradient),
      );
      return;
    case 'classify':
      classify(op.batch, op.classes, at(op.logits), at(op.labels), at(op.losses), at(op.correct));
      return;
  }
}

/**
 * v = momentum v + (g + decay w), w = w - learningRate v, over the buffers of all parameters;
 * decay acts on the first `decayLength` elements.
 */
export function momentumUpdate(
  parameters: Float64Array,
  gradients: Float64Array,
  velocities: Float64Array,
  decayLength: number,
  rates: StepRates,
): void {
  for (let at = 0; at < parameters.length; at += 1) {
    const decay = at < decayLength ? rates.weightDecay * parameters[at]! : 0;
    velocities[at] = rates.momentum * velocities[at]! + gradients[at]! + decay;
    parameters[at]! -= rates.learningRate * velocities[at]!;
  }
}
