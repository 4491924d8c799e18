import type { PlanOp, TensorId } from './plan.ts';

/** The tensors that an op touches; an update's own state is among both. */
export interface OpTensors {
  readonly reads: readonly TensorId[];
  readonly writes: readonly TensorId[];
}

/**
 * What an op reads and writes. `momentum.update` works on the whole parameter, gradient and
 * velocity buffers and names no tensor. Batch-norm's activation counts as read backwards without
 * ReLU too: kernels may bind it whether or not they use it.
 */
export function opTensors(op: PlanOp): OpTensors {
  switch (op.kind) {
    case 'conv2d.forward':
      return { reads: [op.input, op.weight], writes: [op.output] };
    case 'conv2d.backwardInput': {
      const addend = op.addend === undefined ? [] : [op.addend];
      return { reads: [op.outputGradient, op.weight, ...addend], writes: [op.inputGradient] };
    }
    case 'conv2d.backwardWeight':
      return { reads: [op.input, op.outputGradient], writes: [op.weightGradient] };
    case 'batchNorm.statistics':
      return { reads: [op.input], writes: [op.statistics] };
    case 'batchNorm.updateRunning':
      return { reads: [op.statistics, op.running], writes: [op.running] };
    case 'batchNorm.runningStatistics':
      return { reads: [op.running], writes: [op.statistics] };
    case 'batchNorm.normalize': {
      const residual = op.residual === undefined ? [] : [op.residual];
      return {
        reads: [op.input, op.statistics, op.gamma, op.beta, ...residual],
        writes: [op.output],
      };
    }
    case 'batchNorm.backwardStatistics':
      return {
        reads: [op.input, op.statistics, op.output, op.outputGradient],
        writes: [op.gammaGradient, op.betaGradient],
      };
    case 'batchNorm.backwardInput': {
      const residual = op.residualGradient === undefined ? [] : [op.residualGradient];
      const statistics = [op.statistics, op.gamma, op.gammaGradient, op.betaGradient];
      return {
        reads: [op.input, ...statistics, op.output, op.outputGradient],
        writes: [op.inputGradient, ...residual],
      };
    }
    case 'concat.forward':
      return { reads: op.inputs, writes: [op.output] };
    case 'concat.backward':
      return { reads: [op.outputGradient], writes: op.inputGradients };
    case 'maxPool.forward':
      return { reads: [op.input], writes: [op.output, op.taps] };
    case 'maxPool.backward':
      return { reads: [op.outputGradient, op.taps], writes: [op.inputGradient] };
    case 'averagePool.forward':
    case 'globalAveragePool.forward':
      return { reads: [op.input], writes: [op.output] };
    case 'averagePool.backward':
    case 'globalAveragePool.backward':
      return { reads: [op.outputGradient], writes: [op.inputGradient] };
    case 'add':
      return { reads: [op.left, op.right], writes: [op.sum] };
    case 'dense.forward':
      return { reads: [op.input, op.weight, op.bias], writes: [op.output] };
    case 'dense.backwardInput':
      return { reads: [op.outputGradient, op.weight], writes: [op.inputGradient] };
    case 'dense.backwardWeight':
      return {
        reads: [op.input, op.outputGradient],
        writes: [op.weightGradient, op.biasGradient],
      };
    case 'softmaxCrossEntropy':
      return { reads: [op.logits, op.labels], writes: [op.losses, op.logitsGradient] };
    case 'classify':
      return { reads: [op.logits, op.labels], writes: [op.losses, op.correct] };
    case 'momentum.update':
      return { reads: [], writes: [] };
  }
}
