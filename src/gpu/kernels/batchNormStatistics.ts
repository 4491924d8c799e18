import source from '../../../shaders/nn/batch-norm-statistics.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import {
  normFields,
  normIssuedBytes,
  normLanes,
  normLibrary,
  normUniform,
} from './normalization.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/batch-norm-statistics.wgsl, whose groups `BatchNormMergeStatistics` merges. */
export class BatchNormStatistics {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<BatchNormStatistics> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'BatchNormStatistics',
      entryPoint: 'statistics',
      sources: [normLibrary, source],
      bindings: ['uniform', 'read', 'write'],
    });
    return new BatchNormStatistics(kernel);
  }

  call(op: OpOf<'batchNorm.statistics'>, operands: Operands): KernelCall {
    // Two passes; a lane's mean and squares are two elements.
    const issuedBytes = normIssuedBytes(op.geometry, 2, 2);
    const extent = { lanes: normLanes(op.geometry), issuedBytes };
    return this.#kernel.call(callLabel(op, 'groups'), extent, [
      operands.uniform(normFields, normUniform(op.geometry)),
      operands.tensor(op.input),
      operands.scratch,
    ]);
  }
}
