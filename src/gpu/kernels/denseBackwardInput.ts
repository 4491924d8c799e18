import source from '../../../shaders/nn/dense-backward-input.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { denseFields, denseLibrary } from './dense.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/dense-backward-input.wgsl. */
export class DenseBackwardInput {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<DenseBackwardInput> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'DenseBackwardInput',
      entryPoint: 'backwardInput',
      sources: [denseLibrary, source],
      bindings: ['uniform', 'read', 'read', 'write'],
    });
    return new DenseBackwardInput(kernel);
  }

  call(op: OpOf<'dense.backwardInput'>, operands: Operands): KernelCall {
    const lanes = op.geometry.batch * op.geometry.inFeatures;
    const issuedBytes = 4 * lanes * (2 * op.geometry.outFeatures + 1);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes }, [
      operands.uniform(denseFields, { ...op.geometry }),
      operands.tensor(op.outputGradient),
      operands.tensor(op.weight),
      operands.tensor(op.inputGradient),
    ]);
  }
}
