import source from '../../../shaders/nn/conv2d-forward.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { matrixForwardBytes } from './convIssuedBytes.ts';
import { convFields, convLibrary, convUniform, eights, type ConvAccess } from './convolution.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/conv2d-forward.wgsl. */
export class Conv2dForward {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext, access: ConvAccess): Promise<Conv2dForward> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'Conv2dForward',
      entryPoint: 'forward',
      sources: [...convLibrary(access), source],
      bindings: ['uniform', 'read', 'read', 'write'],
    });
    return new Conv2dForward(kernel);
  }

  call(op: OpOf<'conv2d.forward'>, operands: Operands): KernelCall {
    const g = op.geometry;
    const lanes = g.batch * g.outHeight * eights(g.outWidth) * eights(g.outChannels);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes: matrixForwardBytes(op) }, [
      operands.uniform(convFields, convUniform(g)),
      operands.tensor(op.input),
      operands.tensor(op.weight),
      operands.tensor(op.output),
    ]);
  }
}
