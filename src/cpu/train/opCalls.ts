import type { PlanOp } from '../../core/nn/plan.ts';
import {
  addition,
  averagePoolForward,
  concatBackward,
  concatForward,
  maxPoolForward,
  poolBackward,
} from './branchCalls.ts';
import { usualCaches, type CacheSizes } from './caches.ts';
import { convolutionBackwardInput } from './convolutionBackwardInput.ts';
import { convolutionBackwardWeight } from './convolutionBackwardWeight.ts';
import { convolutionForward } from './convolutionForward.ts';
import {
  denseBackwardInput,
  denseBackwardWeight,
  denseForward,
  globalAveragePoolBackward,
  globalAveragePoolForward,
  lossAndCorrect,
  lossAndGradient,
} from './headCalls.ts';
import { momentumUpdate } from './momentumCall.ts';
import {
  normBackwardInput,
  normBackwardStatistics,
  normNormalize,
  normRunningStatistics,
  normStatistics,
  normUpdateRunning,
} from './normCalls.ts';
import type { OpCall } from './opCall.ts';

/** How an op of a plan runs on a CPU with such caches. What it computes does not depend on them. */
export function opCall(op: PlanOp, caches: CacheSizes = usualCaches): OpCall {
  switch (op.kind) {
    case 'conv2d.forward':
      return convolutionForward(op, caches);
    case 'conv2d.backwardInput':
      return convolutionBackwardInput(op, caches);
    case 'conv2d.backwardWeight':
      return convolutionBackwardWeight(op);
    case 'batchNorm.statistics':
      return normStatistics(op);
    case 'batchNorm.updateRunning':
      return normUpdateRunning(op);
    case 'batchNorm.runningStatistics':
      return normRunningStatistics(op);
    case 'batchNorm.normalize':
      return normNormalize(op);
    case 'batchNorm.backwardStatistics':
      return normBackwardStatistics(op);
    case 'batchNorm.backwardInput':
      return normBackwardInput(op);
    case 'concat.forward':
      return concatForward(op);
    case 'concat.backward':
      return concatBackward(op);
    case 'maxPool.forward':
      return maxPoolForward(op);
    case 'maxPool.backward':
    case 'averagePool.backward':
      return poolBackward(op);
    case 'averagePool.forward':
      return averagePoolForward(op);
    case 'add':
      return addition(op);
    case 'globalAveragePool.forward':
      return globalAveragePoolForward(op);
    case 'globalAveragePool.backward':
      return globalAveragePoolBackward(op);
    case 'dense.forward':
      return denseForward(op);
    case 'dense.backwardInput':
      return denseBackwardInput(op);
    case 'dense.backwardWeight':
      return denseBackwardWeight(op);
    case 'softmaxCrossEntropy':
      return lossAndGradient(op);
    case 'classify':
      return lossAndCorrect(op);
    case 'momentum.update':
      return momentumUpdate(op);
  }
}
