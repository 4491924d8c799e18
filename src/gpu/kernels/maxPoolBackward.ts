import source from '../../../shaders/nn/max-pool-backward.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import {
  inputLanes,
  outputLanes,
  windowPairs,
  windowPoolFields,
  windowPoolLibrary,
} from './windowPool.ts';

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
    const lanes = inputLanes(op.geometry);
    // Of every window, whether it won is asked by each element, and the gradient loaded by one.
    const issuedBytes = 4 * (windowPairs(op.geometry) + outputLanes(op.geometry) + lanes);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes }, [
      operands.uniform(windowPoolFields, { ...op.geometry }),
      operands.tensor(op.outputGradient),
      operands.tensor(op.taps),
      operands.tensor(op.inputGradient),
    ]);
  }
}
