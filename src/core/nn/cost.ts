import {
  gatheredColumns,
  inputElements,
  outputElements,
  products,
  rowsOfTaps,
  tapsWithin,
  touchedInputs,
  touchedPixels,
  weights,
} from './convolutionWork.ts';
import type {
  ConcatGeometry,
  ConvGeometry,
  DenseGeometry,
  NormGeometry,
  PlanOp,
  PoolGeometry,
  WindowPoolGeometry,
} from './plan.ts';

/** The work of one kernel call. */
export interface OpCost {
  /** Nominal: direct convolution, padding taps included. */
  readonly flops: number;
  /**
   * What the kernels do, and what charts and roofs use: convolutions skip rows of taps that fall on
   * padding, pools every tap that does. Lanes of a tile that stick out over a tensor's edge are no
   * work and not counted.
   */
  readonly executedFlops: number;
  /** Each distinct input read once, each output written once, in f32. */
  readonly bytes: { readonly algorithmic: number };
}

/** The work of a plan, such as one training step: the sums over its ops, and each op's own, in plan order. */
export interface PlanCost extends OpCost {
  readonly ops: readonly OpCost[];
}

const bytesPerElement = 4;

/**
 * Flops and bytes of one op. A flop is one floating add or multiply; a fused multiply-add is two;
 * comparison, max, select, division, root, exponential and logarithm count one each.
 * docs/method/training-work.md explains each formula.
 */
export function opCost(op: PlanOp): OpCost {
  const flops = opFlops(op);
  return {
    flops,
    executedFlops: flops - skippedFlops(op),
    bytes: { algorithmic: bytesPerElement * opElements(op) },
  };
}

export function planCost(plan: { readonly ops: readonly PlanOp[] }): PlanCost {
  const ops = plan.ops.map(opCost);
  const total = (of: (cost: OpCost) => number): number =>
    ops.reduce((sum, cost) => sum + of(cost), 0);
  return {
    flops: total(({ flops }) => flops),
    executedFlops: total(({ executedFlops }) => executedFlops),
    bytes: { algorithmic: total(({ bytes }) => bytes.algorithmic) },
    ops,
  };
}

function opFlops(op: PlanOp): number {
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

/** Distinct elements read plus elements written. */
function opElements(op: PlanOp): number {
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

/**
 * Flops that the kernels leave out. All three convolutions walk a row of taps at a time: a row
 * above or below the image is skipped, while columns beside it are multiplied as zeros. The
 * gradient of the input is gathered, so its columns are those of the input's pixels. Pools skip
 * every tap that is padding.
 */
function skippedFlops(op: PlanOp): number {
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

function normElements(g: NormGeometry): number {
  return g.pixels * g.channels;
}

function poolElements(g: PoolGeometry): number {
  return g.batch * g.pixels * g.channels;
}

function concatElements(g: ConcatGeometry): number {
  return g.pixels * g.channels.reduce((sum, channels) => sum + channels, 0);
}

/** Outputs of a window pool, its inputs, and those inputs that some window meets. */
function pooledElements(g: WindowPoolGeometry): number {
  return g.batch * g.outHeight * g.outWidth * g.channels;
}

function unpooledElements(g: WindowPoolGeometry): number {
  return g.batch * g.inHeight * g.inWidth * g.channels;
}

function touchedPooled(g: WindowPoolGeometry): number {
  return g.batch * touchedPixels(g) * g.channels;
}

/** Pairs of an output and a tap, padding included. */
function windowTaps(g: WindowPoolGeometry): number {
  return pooledElements(g) * g.kernelHeight * g.kernelWidth;
}

function denseProducts(g: DenseGeometry): number {
  return g.batch * g.inFeatures * g.outFeatures;
}

/** One side of the input, the weight and one side of the output. */
function denseElements(g: DenseGeometry): number {
  return g.batch * (g.inFeatures + g.outFeatures) + g.inFeatures * g.outFeatures;
}
