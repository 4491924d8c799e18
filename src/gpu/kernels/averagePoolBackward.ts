import source from '../../../shaders/nn/average-pool-backward.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { inputLanes, windowPairs, windowPoolFields, windowPoolLibrary } from './windowPool.ts';

/** Owner of shaders/nn/average-pool-backward.wgsl. */
export class AveragePoolBackward {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<AveragePoolBackward> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'AveragePoolBackward',
      entryPoint: 'averageWindowBackward',
      sources: [windowPoolLibrary, source],
      bindings: ['uniform', 'read', 'write'],
    });
    return new AveragePoolBackward(kernel);
  }

  call(op: OpOf<'averagePool.backward'>, operands: Operands): KernelCall {
    const lanes = inputLanes(op.geometry);
    const issuedBytes = 4 * (windowPairs(op.geometry) + lanes);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes }, [
      operands.uniform(windowPoolFields, { ...op.geometry }),
      operands.tensor(op.outputGradient),
      operands.tensor(op.inputGradient),
    ]);
  }
}
