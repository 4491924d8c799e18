import source from '../../../shaders/nn/max-pool-backward.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { inputLanes, windowPoolFields, windowPoolLibrary } from './windowPool.ts';

/** Owner of shaders/nn/max-pool-backward.wgsl. */
export class MaxPoolBackward {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<MaxPoolBackward> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'MaxPoolBackward',
      entryPoint: 'maxPoolBackward',
      sources: [windowPoolLibrary, source],
      bindings: ['uniform', 'read', 'read', 'write'],
    });
    return new MaxPoolBackward(kernel);
  }

  call(op: OpOf<'maxPool.backward'>, operands: Operands): KernelCall {
    return this.#kernel.call(callLabel(op), { lanes: inputLanes(op.geometry) }, [
      operands.uniform(windowPoolFields, { ...op.geometry }),
      operands.tensor(op.outputGradient),
      operands.tensor(op.taps),
      operands.tensor(op.inputGradient),
    ]);
  }
}
