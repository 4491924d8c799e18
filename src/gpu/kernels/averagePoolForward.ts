import source from '../../../shaders/nn/average-pool-forward.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { outputLanes, windowPairs, windowPoolFields, windowPoolLibrary } from './windowPool.ts';

/** Owner of shaders/nn/average-pool-forward.wgsl. */
export class AveragePoolForward {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<AveragePoolForward> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'AveragePoolForward',
      entryPoint: 'averageWindow',
      sources: [windowPoolLibrary, source],
      bindings: ['uniform', 'read', 'write'],
    });
    return new AveragePoolForward(kernel);
  }

  call(op: OpOf<'averagePool.forward'>, operands: Operands): KernelCall {
    const lanes = outputLanes(op.geometry);
    const issuedBytes = 4 * (windowPairs(op.geometry) + lanes);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes }, [
      operands.uniform(windowPoolFields, { ...op.geometry }),
      operands.tensor(op.input),
      operands.tensor(op.output),
    ]);
  }
}
