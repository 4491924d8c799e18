import {
  gatheredColumns,
  inputElements,
  products,
  rowsOfTaps,
  tapsWithin,
} from './convolutionWork.ts';
import {
  denseProducts,
  normElements,
  pooledElements,
  poolElements,
  unpooledElements,
  windowTaps,
} from './layerWork.ts';
import type { ConvGeometry, PlanOp, WindowPoolGeometry } from './plan.ts';

/** Nominal flops of an op: docs/method/training-work.md explains each formula. */
export function opFlops(op: PlanOp): number {
  switch (op.kind) {
    case 'conv2d.forward':
    case 'conv2d.backwardWeight':
      return 2 * products(op.geometry);
    case 'conv2d.backwardInput': {
      const additions = op.addend === undefined ? 0 : inputElements(op.geometry);
      return 2 * products(op.geometry) + additions;
    }
    case 'batchNorm.statistics':
      // Element: add to the sum; subtract the mean, square and add (2). Channel: two divisions,
      // add epsilon, root, reciprocal.
      return 4 * normElements(op.geometry) + 5 * op.geometry.channels;
    case 'batchNorm.updateRunning':
      // Channel: mean and variance each subtract, scale, add; the variance before that reciprocal,
      // square, subtract epsilon, unbias.
      return 10 * op.geometry.channels;
    case 'batchNorm.runningStatistics':
      // Channel: add epsilon, root, reciprocal.
      return 3 * op.geometry.channels;
    case 'batchNorm.normalize': {
      // Element: subtract, scale, fused gamma and beta (2); the residual's add; ReLU's max.
      const extras = (op.residual === undefined ? 0 : 1) + (op.activation === 'relu' ? 1 : 0);
      return (4 + extras) * normElements(op.geometry);
    }
    case 'batchNorm.backwardStatistics':
      // Element: mask; normalise (2); add to beta's sum; multiply and add to gamma's (2).
      return (5 + maskFlops(op.activation)) * normElements(op.geometry);
    case 'batchNorm.backwardInput':
      // Element: mask; normalise (2); subtract one mean; fused subtraction of the other (2);
      // scale. Channel: two divisions by the pixels, gamma times inverse deviation.
      return (6 + maskFlops(op.activation)) * normElements(op.geometry) + 3 * op.geometry.channels;
    case 'concat.forward':
    case 'concat.backward':
      return 0;
    case 'maxPool.forward':
      // Tap: compare.
      return windowTaps(op.geometry);
    case 'maxPool.backward':
      // Tap: compare, add.
      return 2 * windowTaps(op.geometry);
    case 'averagePool.forward':
      // Tap: add. Output: divide.
      return windowTaps(op.geometry) + pooledElements(op.geometry);
    case 'averagePool.backward':
      // Tap: add. Input: divide.
      return windowTaps(op.geometry) + unpooledElements(op.geometry);
    case 'add':
      return op.length;
    case 'globalAveragePool.forward':
      // One add an element, one division an output.
      return poolElements(op.geometry) + op.geometry.batch * op.geometry.channels;
    case 'globalAveragePool.backward':
      return op.geometry.batch * op.geometry.channels;
    case 'dense.forward':
      // The bias is the first term of the sum.
      return 2 * denseProducts(op.geometry);
    case 'dense.backwardInput':
      return 2 * denseProducts(op.geometry);
    case 'dense.backwardWeight':
      return 2 * denseProducts(op.geometry) + op.geometry.batch * op.geometry.outFeatures;
    case 'softmaxCrossEntropy':
      // Logit: max, shift, exponential, add; divide, select and subtract the label's one, scale
      // by the batch. Image: logarithm, add back the shift, subtract the label's logit.
      return op.batch * (8 * op.classes + 3);
    case 'classify':
      // Logit: max, shift, exponential, add. Image: logarithm, add back the shift, subtract the
      // label's logit, compare.
      return op.batch * (4 * op.classes + 4);
    case 'momentum.update':
      // v = momentum v + g (2), w = w - rate v (2), and decay w added to g (2) where it decays.
      return 4 * op.length + 2 * op.decayLength;
  }
}

/**
 * Flops that the kernels leave out. All three convolutions walk a row of taps at a time: a row
 * above or below the image is skipped, while columns beside it are multiplied as zeros. The
 * gradient of the input is gathered, so its columns are those of the input's pixels. Pools skip
 * every tap that is padding.
 */
export function skippedFlops(op: PlanOp): number {
  switch (op.kind) {
    case 'conv2d.forward':
    case 'conv2d.backwardWeight':
      return 2 * skippedProducts(op.geometry, op.geometry.outWidth * op.geometry.kernelWidth);
    case 'conv2d.backwardInput':
      return 2 * skippedProducts(op.geometry, gatheredColumns(op.geometry));
    case 'maxPool.backward':
      return 2 * skippedTaps(op.geometry);
    case 'maxPool.forward':
    case 'averagePool.forward':
    case 'averagePool.backward':
      return skippedTaps(op.geometry);
    case 'batchNorm.statistics':
    case 'batchNorm.updateRunning':
    case 'batchNorm.runningStatistics':
    case 'batchNorm.normalize':
    case 'batchNorm.backwardStatistics':
    case 'batchNorm.backwardInput':
    case 'concat.forward':
    case 'concat.backward':
    case 'add':
    case 'globalAveragePool.forward':
    case 'globalAveragePool.backward':
    case 'dense.forward':
    case 'dense.backwardInput':
    case 'dense.backwardWeight':
    case 'softmaxCrossEntropy':
    case 'classify':
    case 'momentum.update':
      return 0;
  }
}

function skippedProducts(g: ConvGeometry, columns: number): number {
  return products(g) - g.batch * g.inChannels * g.outChannels * rowsOfTaps(g) * columns;
}

function skippedTaps(g: WindowPoolGeometry): number {
  return windowTaps(g) - g.batch * tapsWithin(g) * g.channels;
}

/** ReLU's mask: compare, select. */
function maskFlops(activation: 'none' | 'relu'): number {
  return activation === 'relu' ? 2 : 0;
}
