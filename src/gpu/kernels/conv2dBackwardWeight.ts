import source from '../../../shaders/nn/conv2d-backward-weight.wgsl?raw';
import type { ConvGeometry } from '../../core/nn/plan.ts';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { matrixBackwardWeightBytes } from './convIssuedBytes.ts';
import {
  convFields,
  convLibrary,
  convUniform,
  eights,
  weightLength,
  weightSlices,
  type ConvAccess,
} from './convolution.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/conv2d-backward-weight.wgsl, whose slices `SumSlices` adds up. */
export class Conv2dBackwardWeight {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext, access: ConvAccess): Promise<Conv2dBackwardWeight> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'Conv2dBackwardWeight',
      entryPoint: 'backwardWeight',
      sources: [...convLibrary(access), source],
      bindings: ['uniform', 'read', 'read', 'write'],
    });
    return new Conv2dBackwardWeight(kernel);
  }

  /** Elements of scratch that a call fills. */
  static scratchLength(g: ConvGeometry): number {
    return weightSlices(g).slices * weightLength(g);
  }

  call(op: OpOf<'conv2d.backwardWeight'>, operands: Operands): KernelCall {
    const g = op.geometry;
    const rowLanes = eights(g.kernelWidth * g.inChannels) * eights(g.outChannels);
    const lanes = weightSlices(g).slices * g.kernelHeight * rowLanes;
    const issuedBytes = matrixBackwardWeightBytes(op);
    return this.#kernel.call(callLabel(op, 'slices'), { lanes, issuedBytes }, [
      operands.uniform(convFields, convUniform(g)),
      operands.tensor(op.input),
      operands.tensor(op.outputGradient),
      operands.scratch,
    ]);
  }
}
