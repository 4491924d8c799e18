import source from '../../../shaders/nn/dense-forward.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { denseFields, denseLibrary } from './dense.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/dense-forward.wgsl. */
export class DenseForward {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<DenseForward> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'DenseForward',
      entryPoint: 'forward',
      sources: [denseLibrary, source],
      bindings: ['uniform', 'read', 'read', 'read', 'write'],
    });
    return new DenseForward(kernel);
  }

  call(op: OpOf<'dense.forward'>, operands: Operands): KernelCall {
    const lanes = op.geometry.batch * op.geometry.outFeatures;
    const issuedBytes = 4 * lanes * (2 * op.geometry.inFeatures + 2);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes }, [
      operands.uniform(denseFields, { ...op.geometry }),
      operands.tensor(op.input),
      operands.tensor(op.weight),
      operands.tensor(op.bias),
      operands.tensor(op.output),
    ]);
  }
}
