import source from '../../../shaders/nn/batch-norm-merge-gradients.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import {
  gradientSumsLength,
  mergeLanes,
  normFields,
  normLibrary,
  normUniform,
} from './normalization.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/batch-norm-merge-gradients.wgsl. */
export class BatchNormMergeGradients {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<BatchNormMergeGradients> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'BatchNormMergeGradients',
      entryPoint: 'mergeGradients',
      sources: [normLibrary, source],
      bindings: ['uniform', 'read', 'write', 'write'],
      constants: { workgroupSize: mergeLanes },
    });
    return new BatchNormMergeGradients(kernel);
  }

  /** One tile a channel. */
  call(op: OpOf<'batchNorm.backwardStatistics'>, operands: Operands): KernelCall {
    const { channels } = op.geometry;
    const issuedBytes = 4 * gradientSumsLength(op.geometry) + 8 * channels;
    return this.#kernel.call(callLabel(op, 'merge'), { tiles: channels, issuedBytes }, [
      operands.uniform(normFields, normUniform(op.geometry)),
      operands.scratch,
      operands.tensor(op.gammaGradient),
      operands.tensor(op.betaGradient),
    ]);
  }
}
