import source from '../../../shaders/nn/batch-norm-merge-statistics.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import {
  mergeLanes,
  momentsLength,
  normFields,
  normLibrary,
  normUniform,
} from './normalization.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/batch-norm-merge-statistics.wgsl. */
export class BatchNormMergeStatistics {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<BatchNormMergeStatistics> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'BatchNormMergeStatistics',
      entryPoint: 'mergeStatistics',
      sources: [normLibrary, source],
      bindings: ['uniform', 'read', 'write'],
      constants: { workgroupSize: mergeLanes },
    });
    return new BatchNormMergeStatistics(kernel);
  }

  /** One tile a channel. `moments` are of so many groups of pixels. */
  call(
    op: OpOf<'batchNorm.statistics'>,
    operands: Operands,
    moments: GPUBufferBinding,
    groups: number,
  ): KernelCall {
    const { channels } = op.geometry;
    const issuedBytes = 4 * momentsLength(groups, channels) + 8 * channels;
    return this.#kernel.call(callLabel(op, 'merge'), { tiles: channels, issuedBytes }, [
      operands.uniform(normFields, normUniform(op.geometry, groups)),
      moments,
      operands.tensor(op.statistics),
    ]);
  }
}
