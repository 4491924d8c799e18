import source from '../../../shaders/nn/max-pool-forward.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { outputLanes, windowPairs, windowPoolFields, windowPoolLibrary } from './windowPool.ts';

/** Owner of shaders/nn/max-pool-forward.wgsl. */
export class MaxPoolForward {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<MaxPoolForward> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'MaxPoolForward',
      entryPoint: 'maxPool',
      sources: [windowPoolLibrary, source],
      bindings: ['uniform', 'read', 'write', 'write'],
    });
    return new MaxPoolForward(kernel);
  }

  call(op: OpOf<'maxPool.forward'>, operands: Operands): KernelCall {
    const lanes = outputLanes(op.geometry);
    const issuedBytes = 4 * (windowPairs(op.geometry) + 2 * lanes);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes }, [
      operands.uniform(windowPoolFields, { ...op.geometry }),
      operands.tensor(op.input),
      operands.tensor(op.output),
      operands.tensor(op.taps),
    ]);
  }
}
