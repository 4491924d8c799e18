import source from '../../../shaders/nn/softmax-cross-entropy.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** `LossGeometry` of shaders/nn/softmax-cross-entropy.wgsl. */
export const lossFields = { batch: 'u32', classes: 'u32' } as const;

/** Owner of shaders/nn/softmax-cross-entropy.wgsl. */
export class SoftmaxCrossEntropy {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<SoftmaxCrossEntropy> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'SoftmaxCrossEntropy',
      entryPoint: 'softmaxCrossEntropy',
      sources: [source],
      bindings: ['uniform', 'read', 'read', 'write', 'write'],
    });
    return new SoftmaxCrossEntropy(kernel);
  }

  call(op: OpOf<'softmaxCrossEntropy'>, operands: Operands): KernelCall {
    // Of each image its logits three times, that of the label, their gradients, the label and the loss.
    const issuedBytes = 4 * op.batch * (4 * op.classes + 3);
    return this.#kernel.call(callLabel(op), { lanes: op.batch, issuedBytes }, [
      operands.uniform(lossFields, { batch: op.batch, classes: op.classes }),
      operands.tensor(op.logits),
      operands.tensor(op.labels),
      operands.tensor(op.losses),
      operands.tensor(op.logitsGradient),
    ]);
  }
}
