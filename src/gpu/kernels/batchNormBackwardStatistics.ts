import source from '../../../shaders/nn/batch-norm-backward-statistics.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import {
  normFields,
  normIssuedBytes,
  normLanes,
  normLibrary,
  normUniform,
} from './normalization.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/**
 * Owner of shaders/nn/batch-norm-backward-statistics.wgsl, whose groups `BatchNormMergeGradients`
 * adds up.
 */
export class BatchNormBackwardStatistics {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(
    context: KernelContext,
    { relu }: { readonly relu: boolean },
  ): Promise<BatchNormBackwardStatistics> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'BatchNormBackwardStatistics',
      entryPoint: 'backwardStatistics',
      sources: [normLibrary, source],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
      constants: { relu: Number(relu) },
    });
    return new BatchNormBackwardStatistics(kernel);
  }

  call(op: OpOf<'batchNorm.backwardStatistics'>, operands: Operands): KernelCall {
    const issuedBytes = normIssuedBytes(op.geometry, 4, op.activation === 'relu' ? 3 : 2);
    const extent = { lanes: normLanes(op.geometry), issuedBytes };
    return this.#kernel.call(callLabel(op, 'groups'), extent, [
      operands.uniform(normFields, normUniform(op.geometry)),
      operands.tensor(op.input),
      operands.tensor(op.statistics),
      operands.tensor(op.output),
      operands.tensor(op.outputGradient),
      operands.scratch,
    ]);
  }
}
