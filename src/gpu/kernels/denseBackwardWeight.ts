import source from '../../../shaders/nn/dense-backward-weight.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { denseFields, denseLibrary } from './dense.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/dense-backward-weight.wgsl. */
export class DenseBackwardWeight {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<DenseBackwardWeight> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'DenseBackwardWeight',
      entryPoint: 'backwardWeight',
      sources: [denseLibrary, source],
      bindings: ['uniform', 'read', 'read', 'write', 'write'],
    });
    return new DenseBackwardWeight(kernel);
  }

  /** A lane for each element of the weight and of the bias. */
  call(op: OpOf<'dense.backwardWeight'>, operands: Operands): KernelCall {
    const { batch, inFeatures, outFeatures } = op.geometry;
    const lanes = (inFeatures + 1) * outFeatures;
    const issuedBytes = 4 * outFeatures * (inFeatures * (2 * batch + 1) + batch + 1);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes }, [
      operands.uniform(denseFields, { ...op.geometry }),
      operands.tensor(op.input),
      operands.tensor(op.outputGradient),
      operands.tensor(op.weightGradient),
      operands.tensor(op.biasGradient),
    ]);
  }
}
