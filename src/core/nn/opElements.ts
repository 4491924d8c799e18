import { inputElements, outputElements, touchedInputs, weights } from './convolutionWork.ts';
import {
  concatElements,
  denseElements,
  normElements,
  pooledElements,
  poolElements,
  touchedPooled,
  unpooledElements,
} from './layerWork.ts';
import type { PlanOp } from './plan.ts';

/** Distinct elements read plus elements written. */
export function opElements(op: PlanOp): number {
  switch (op.kind) {
    case 'conv2d.forward':
    case 'conv2d.backwardWeight':
      return touchedInputs(op.geometry) + weights(op.geometry) + outputElements(op.geometry);
    case 'conv2d.backwardInput': {
      // All of the gradient is written, whether or not the convolution read that input.
      const written = inputElements(op.geometry);
      const addend = op.addend === undefined ? 0 : written;
      return outputElements(op.geometry) + weights(op.geometry) + written + addend;
    }
    case 'batchNorm.statistics':
      return normElements(op.geometry) + 2 * op.geometry.channels;
    case 'batchNorm.updateRunning':
      // statistics (2); running mean and variance read and written
      return 6 * op.geometry.channels;
    case 'batchNorm.runningStatistics':
      return 4 * op.geometry.channels;
    case 'batchNorm.normalize': {
      // input, output, residual; mean, inverse deviation, gamma, beta
      const tensors = op.residual === undefined ? 2 : 3;
      return tensors * normElements(op.geometry) + 4 * op.geometry.channels;
    }
    case 'batchNorm.backwardStatistics': {
      // input, outputGradient, ReLU's output; statistics (2), both gradients
      const tensors = op.activation === 'relu' ? 3 : 2;
      return tensors * normElements(op.geometry) + 4 * op.geometry.channels;
    }
    case 'batchNorm.backwardInput': {
      // input, outputGradient, inputGradient, ReLU's output, residualGradient;
      // statistics (2), gamma, both gradients
      const tensors =
        3 + (op.activation === 'relu' ? 1 : 0) + (op.residualGradient === undefined ? 0 : 1);
      return tensors * normElements(op.geometry) + 5 * op.geometry.channels;
    }
    case 'concat.forward':
    case 'concat.backward':
      return 2 * concatElements(op.geometry);
    case 'maxPool.forward':
      // input; output and taps
      return touchedPooled(op.geometry) + 2 * pooledElements(op.geometry);
    case 'maxPool.backward':
      // outputGradient and taps; all of inputGradient is written
      return 2 * pooledElements(op.geometry) + unpooledElements(op.geometry);
    case 'averagePool.forward':
      return touchedPooled(op.geometry) + pooledElements(op.geometry);
    case 'averagePool.backward':
      return pooledElements(op.geometry) + unpooledElements(op.geometry);
    case 'add':
      return 3 * op.length;
    case 'globalAveragePool.forward':
    case 'globalAveragePool.backward':
      return poolElements(op.geometry) + op.geometry.batch * op.geometry.channels;
    case 'dense.forward':
    case 'dense.backwardWeight':
      // weight and bias, or their gradients
      return denseElements(op.geometry) + op.geometry.outFeatures;
    case 'dense.backwardInput':
      return denseElements(op.geometry);
    case 'softmaxCrossEntropy':
      // logits and their gradient; labels and losses
      return op.batch * (2 * op.classes + 2);
    case 'classify':
      // logits; labels, losses, correct
      return op.batch * (op.classes + 3);
    case 'momentum.update':
      // parameters, gradients and velocities read; parameters and velocities written
      return 5 * op.length;
  }
}
