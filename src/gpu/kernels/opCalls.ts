import type { PlanOp } from '../../core/nn/plan.ts';
import { BatchNormBackwardInput } from './batchNormBackwardInput.ts';
import { noneBegun, type AllBegunStatistics } from './begunStatistics.ts';
import type { KernelCall } from './computeKernel.ts';
import { Conv2dBackwardWeight } from './conv2dBackwardWeight.ts';
import { convCalls } from './convCalls.ts';
import { chosenVariant, type VariantChoices } from './convVariants.ts';
import type { KernelSet } from './kernelSet.ts';
import { gradientSumsLength, momentsLength, normGroups } from './normalization.ts';
import type { Operands } from './operands.ts';

/**
 * The kernel calls of an op, in order, compiled and with their operands bound. A shape without a
 * choice of variant gets its default. `begun` are the statistics that the plan's convolutions begin.
 */
export async function opCalls(
  op: PlanOp,
  kernels: KernelSet,
  operands: Operands,
  choices: VariantChoices = {},
  begun: AllBegunStatistics = noneBegun,
): Promise<readonly KernelCall[]> {
  switch (op.kind) {
    case 'conv2d.forward':
    case 'conv2d.backwardInput':
    case 'conv2d.backwardWeight': {
      const variant = chosenVariant(op, await kernels.support(), choices);
      const hasMoments = op.kind === 'conv2d.forward' && begun.has(op.output);
      return convCalls(op, variant, kernels, operands, hasMoments);
    }
    case 'batchNorm.statistics': {
      const merge = await kernels.batchNormMergeStatistics();
      const known = begun.get(op.input);
      if (known !== undefined)
        return [merge.call(op, operands, operands.moments(op.input), known.groups)];
      const kernel = await kernels.batchNormStatistics();
      const groups = normGroups(op.geometry);
      return [kernel.call(op, operands), merge.call(op, operands, operands.scratch, groups)];
    }
    case 'batchNorm.normalize': {
      const relu = op.activation === 'relu';
      const hasResidual = op.residual !== undefined;
      const kernel = await kernels.batchNormNormalize({ relu, hasResidual });
      return [kernel.call(op, operands)];
    }
    case 'batchNorm.backwardStatistics': {
      const relu = op.activation === 'relu';
      const kernel = await kernels.batchNormBackwardStatistics({ relu });
      const merge = await kernels.batchNormMergeGradients();
      return [kernel.call(op, operands), merge.call(op, operands)];
    }
    case 'batchNorm.backwardInput': {
      const options = BatchNormBackwardInput.options(op, operands);
      const kernel = await kernels.batchNormBackwardInput(options);
      return [kernel.call(op, operands)];
    }
    case 'batchNorm.updateRunning':
      return [(await kernels.batchNormUpdateRunning()).call(op, operands)];
    case 'batchNorm.runningStatistics':
      return [(await kernels.batchNormRunningStatistics()).call(op, operands)];
    case 'concat.forward':
      return (await kernels.copyChannels()).join(op, operands);
    case 'concat.backward':
      return (await kernels.copyChannels()).split(op, operands);
    case 'maxPool.forward':
      return [(await kernels.maxPoolForward()).call(op, operands)];
    case 'maxPool.backward':
      return [(await kernels.maxPoolBackward()).call(op, operands)];
    case 'averagePool.forward':
      return [(await kernels.averagePoolForward()).call(op, operands)];
    case 'averagePool.backward':
      return [(await kernels.averagePoolBackward()).call(op, operands)];
    case 'add':
      return [(await kernels.add()).call(op, operands)];
    case 'classify':
      return [(await kernels.classify()).call(op, operands)];
    case 'globalAveragePool.forward':
      return [(await kernels.globalAveragePoolForward()).call(op, operands)];
    case 'globalAveragePool.backward':
      return [(await kernels.globalAveragePoolBackward()).call(op, operands)];
    case 'dense.forward':
      return [(await kernels.denseForward()).call(op, operands)];
    case 'dense.backwardInput':
      return [(await kernels.denseBackwardInput()).call(op, operands)];
    case 'dense.backwardWeight':
      return [(await kernels.denseBackwardWeight()).call(op, operands)];
    case 'softmaxCrossEntropy':
      return [(await kernels.softmaxCrossEntropy()).call(op, operands)];
    case 'momentum.update':
      return [(await kernels.momentumUpdate()).call(op, operands)];
  }
}

/** Elements of scratch that an op's calls pass partial results in. */
export function scratchLength(op: PlanOp): number {
  switch (op.kind) {
    case 'conv2d.backwardWeight':
      return Conv2dBackwardWeight.scratchLength(op.geometry);
    case 'batchNorm.statistics':
      return momentsLength(normGroups(op.geometry), op.geometry.channels);
    case 'batchNorm.backwardStatistics':
      return gradientSumsLength(op.geometry);
    case 'conv2d.forward':
    case 'conv2d.backwardInput':
    case 'batchNorm.updateRunning':
    case 'batchNorm.runningStatistics':
    case 'batchNorm.normalize':
    case 'batchNorm.backwardInput':
    case 'concat.forward':
    case 'concat.backward':
    case 'maxPool.forward':
    case 'maxPool.backward':
    case 'averagePool.forward':
    case 'averagePool.backward':
    case 'add':
    case 'classify':
    case 'globalAveragePool.forward':
    case 'globalAveragePool.backward':
    case 'dense.forward':
    case 'dense.backwardInput':
    case 'dense.backwardWeight':
    case 'softmaxCrossEntropy':
    case 'momentum.update':
      return 0;
  }
}
