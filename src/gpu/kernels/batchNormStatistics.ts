import source from '../../../shaders/nn/batch-norm-statistics.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import {
  normFields,
  normIssuedBytes,
  normLanes,
  normLibrary,
  normUniform,
  pixelsPerLane,
} from './normalization.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { unrolled } from './unroll.ts';

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
      sources: [normLibrary, unrolled(source, { e: pixelsPerLane })],
      bindings: ['uniform', 'read', 'write'],
    });
    return new BatchNormStatistics(kernel);
  }

  call(op: OpOf<'batchNorm.statistics'>, operands: Operands): KernelCall {
    // A lane always loads its most pixels; its moments are three elements.
    const issuedBytes = normIssuedBytes(op.geometry, pixelsPerLane + 3, 0);
    const extent = { lanes: normLanes(op.geometry), issuedBytes };
    return this.#kernel.call(callLabel(op, 'groups'), extent, [
      operands.uniform(normFields, normUniform(op.geometry)),
      operands.tensor(op.input),
      operands.scratch,
    ]);
  }
}
