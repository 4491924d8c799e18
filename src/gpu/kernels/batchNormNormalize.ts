import source from '../../../shaders/nn/batch-norm-normalize.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import {
  normFields,
  normIssuedBytes,
  normLanes,
  normLibrary,
  normUniform,
} from './normalization.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/batch-norm-normalize.wgsl. */
export class BatchNormNormalize {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(
    context: KernelContext,
    { relu, hasResidual }: { readonly relu: boolean; readonly hasResidual: boolean },
  ): Promise<BatchNormNormalize> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'BatchNormNormalize',
      entryPoint: 'normalizeInput',
      sources: [normLibrary, source],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
      constants: { relu: Number(relu), hasResidual: Number(hasResidual) },
    });
    return new BatchNormNormalize(kernel);
  }

  call(op: OpOf<'batchNorm.normalize'>, operands: Operands): KernelCall {
    const issuedBytes = normIssuedBytes(op.geometry, 4, op.residual === undefined ? 2 : 3);
    const extent = { lanes: normLanes(op.geometry), issuedBytes };
    return this.#kernel.call(callLabel(op), extent, [
      operands.uniform(normFields, normUniform(op.geometry)),
      operands.tensor(op.input),
      operands.tensor(op.statistics),
      operands.tensor(op.gamma),
      operands.tensor(op.beta),
      // Without a residual something has to be bound, and is not read.
      operands.tensor(op.residual ?? op.input),
      operands.tensor(op.output),
    ]);
  }
}
