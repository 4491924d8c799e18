import source from '../../../shaders/nn/sum-slices.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { sumSlicesBytes } from './convIssuedBytes.ts';
import { weightLength, weightSlices } from './convolution.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** `Slices` of shaders/nn/sum-slices.wgsl. */
export const sliceFields = { count: 'u32', length: 'u32' } as const;

/** `elementsPerLane` of the shader. */
const elementsPerLane = 16;

/** Owner of shaders/nn/sum-slices.wgsl. */
export class SumSlices {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<SumSlices> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'SumSlices',
      entryPoint: 'sumSlices',
      sources: [source],
      bindings: ['uniform', 'read', 'write'],
    });
    return new SumSlices(kernel);
  }

  call(op: OpOf<'conv2d.backwardWeight'>, operands: Operands): KernelCall {
    const length = weightLength(op.geometry);
    const extent = { lanes: length / elementsPerLane, issuedBytes: sumSlicesBytes(op) };
    return this.#kernel.call(callLabel(op, 'sum'), extent, [
      operands.uniform(sliceFields, { count: weightSlices(op.geometry).slices, length }),
      operands.scratch,
      operands.tensor(op.weightGradient),
    ]);
  }
}
