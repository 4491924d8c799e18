import source from '../../../shaders/nn/conv2d-backward-input.wgsl?raw';
import type { ConvGeometry } from '../../core/nn/plan.ts';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { matrixBackwardInputBytes } from './convIssuedBytes.ts';
import { convFields, convLibrary, convUniform, eights, type ConvAccess } from './convolution.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/conv2d-backward-input.wgsl. */
export class Conv2dBackwardInput {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(
    context: KernelContext,
    { access, hasAddend }: { readonly access: ConvAccess; readonly hasAddend: boolean },
  ): Promise<Conv2dBackwardInput> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'Conv2dBackwardInput',
      entryPoint: 'backwardInput',
      sources: [...convLibrary(access), source],
      bindings: ['uniform', 'read', 'read', 'write', 'read'],
      constants: { hasAddend: Number(hasAddend) },
    });
    return new Conv2dBackwardInput(kernel);
  }

  call(op: OpOf<'conv2d.backwardInput'>, operands: Operands): KernelCall {
    const extent = { lanes: lanes(op.geometry), issuedBytes: matrixBackwardInputBytes(op) };
    return this.#kernel.call(callLabel(op), extent, [
      operands.uniform(convFields, convUniform(op.geometry)),
      operands.tensor(op.outputGradient),
      operands.tensor(op.weight),
      operands.tensor(op.inputGradient),
      // Without an addend something has to be bound, and is not read.
      operands.tensor(op.addend ?? op.outputGradient),
    ]);
  }
}

/** Pixels of one phase lie a stride apart; phases at the image's edge may be a pixel short. */
function lanes(g: ConvGeometry): number {
  const phaseHeight = Math.ceil(g.inHeight / g.stride);
  const phaseWidth = Math.ceil(g.inWidth / g.stride);
  const phaseLanes = g.batch * phaseHeight * eights(phaseWidth) * eights(g.inChannels);
  return g.stride ** 2 * phaseLanes;
}
