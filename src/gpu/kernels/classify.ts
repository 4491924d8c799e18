import source from '../../../shaders/nn/classify.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { lossFields } from './softmaxCrossEntropy.ts';

/** Owner of shaders/nn/classify.wgsl. */
export class Classify {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<Classify> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'Classify',
      entryPoint: 'classify',
      sources: [source],
      bindings: ['uniform', 'read', 'read', 'write', 'write'],
    });
    return new Classify(kernel);
  }

  call(op: OpOf<'classify'>, operands: Operands): KernelCall {
    // Of each image its logits three times, the label, the loss and whether it is right.
    const issuedBytes = 4 * op.batch * (3 * op.classes + 3);
    return this.#kernel.call(callLabel(op), { lanes: op.batch, issuedBytes }, [
      operands.uniform(lossFields, { batch: op.batch, classes: op.classes }),
      operands.tensor(op.logits),
      operands.tensor(op.labels),
      operands.tensor(op.losses),
      operands.tensor(op.correct),
    ]);
  }
}
