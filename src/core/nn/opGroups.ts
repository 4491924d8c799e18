import type { OpKind } from './plan.ts';

/** Kinds of ops that are told apart in trajectories: the heavy ones each, the light ones together. */
export const opGroups = [
  'conv2d.forward',
  'conv2d.backwardInput',
  'conv2d.backwardWeight',
  'batchNorm',
  'elementwise',
  'head',
  'optimiser',
] as const;
export type OpGroup = (typeof opGroups)[number];

export const opGroupLabels = {
  'conv2d.forward': 'convolution forward',
  'conv2d.backwardInput': 'convolution, gradient of input',
  'conv2d.backwardWeight': 'convolution, gradient of weight',
  batchNorm: 'batch-norm',
  elementwise: 'pools, concatenation, sums',
  head: 'dense and loss',
  optimiser: 'optimiser',
} as const satisfies Record<OpGroup, string>;

export function opGroupOf(kind: OpKind): OpGroup {
  switch (kind) {
    case 'conv2d.forward':
    case 'conv2d.backwardInput':
    case 'conv2d.backwardWeight':
      return kind;
    case 'batchNorm.statistics':
    case 'batchNorm.updateRunning':
    case 'batchNorm.runningStatistics':
    case 'batchNorm.normalize':
    case 'batchNorm.backwardStatistics':
    case 'batchNorm.backwardInput':
      return 'batchNorm';
    case 'concat.forward':
    case 'concat.backward':
    case 'maxPool.forward':
    case 'maxPool.backward':
    case 'averagePool.forward':
    case 'averagePool.backward':
    case 'globalAveragePool.forward':
    case 'globalAveragePool.backward':
    case 'add':
      return 'elementwise';
    case 'dense.forward':
    case 'dense.backwardInput':
    case 'dense.backwardWeight':
    case 'softmaxCrossEntropy':
    case 'classify':
      return 'head';
    case 'momentum.update':
      return 'optimiser';
  }
}
