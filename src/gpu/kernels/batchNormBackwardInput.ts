import source from '../../../shaders/nn/batch-norm-backward-input.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import {
  normFields,
  normIssuedBytes,
  normLanes,
  normLibrary,
  normUniform,
} from './normalization.ts';
import { callLabel, type BufferRange, type Operands, type OpOf } from './operands.ts';

type Op = OpOf<'batchNorm.backwardInput'>;

/** What a pipeline of this kernel is specialised to. */
export interface BatchNormBackwardInputOptions {
  readonly relu: boolean;
  readonly hasResidual: boolean;
  /** Elements from the start of the binding that holds both gradients. */
  readonly gammaGradientAt: number;
  readonly betaGradientAt: number;
}

/** Owner of shaders/nn/batch-norm-backward-input.wgsl. */
export class BatchNormBackwardInput {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(
    context: KernelContext,
    options: BatchNormBackwardInputOptions,
  ): Promise<BatchNormBackwardInput> {
    const reads = ['read', 'read', 'read', 'read', 'read', 'read'] as const;
    const kernel = await ComputeKernel.create(context, {
      owner: 'BatchNormBackwardInput',
      entryPoint: 'backwardInput',
      sources: [normLibrary, source],
      bindings: ['uniform', ...reads, 'write', 'write'],
      constants: {
        ...options,
        relu: Number(options.relu),
        hasResidual: Number(options.hasResidual),
      },
    });
    return new BatchNormBackwardInput(kernel);
  }

  static options(op: Op, operands: Operands): BatchNormBackwardInputOptions {
    const both = bothGradients(op, operands);
    const at = ({ offset }: BufferRange) => (offset - both.offset) / 4;
    return {
      relu: op.activation === 'relu',
      hasResidual: op.residualGradient !== undefined,
      gammaGradientAt: at(operands.tensor(op.gammaGradient)),
      betaGradientAt: at(operands.tensor(op.betaGradient)),
    };
  }

  call(op: Op, operands: Operands): KernelCall {
    const { residualGradient } = op;
    const { relu, hasResidual } = BatchNormBackwardInput.options(op, operands);
    const issuedBytes = normIssuedBytes(op.geometry, 5, 3 + Number(relu) + Number(hasResidual));
    const extent = { lanes: normLanes(op.geometry), issuedBytes };
    return this.#kernel.call(callLabel(op), extent, [
      operands.uniform(normFields, normUniform(op.geometry)),
      operands.tensor(op.input),
      operands.tensor(op.statistics),
      operands.tensor(op.gamma),
      operands.tensor(op.output),
      operands.tensor(op.outputGradient),
      bothGradients(op, operands),
      operands.tensor(op.inputGradient),
      // Without a residual something has to be bound, and is not written.
      residualGradient === undefined ? operands.scratch : operands.tensor(residualGradient),
    ]);
  }
}

/** The range of the gradient buffer from the one gradient to the other. */
function bothGradients(op: Op, operands: Operands): BufferRange {
  const ranges = [operands.tensor(op.gammaGradient), operands.tensor(op.betaGradient)] as const;
  const [{ buffer }, { buffer: other }] = ranges;
  if (buffer !== other) throw new Error(`${op.name}: gradients lie in different buffers`);
  const offset = Math.min(...ranges.map((range) => range.offset));
  const end = Math.max(...ranges.map((range) => range.offset + range.size));
  return { buffer, offset, size: end - offset };
}
