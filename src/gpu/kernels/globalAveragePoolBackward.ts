import source from '../../../shaders/nn/global-average-pool-backward.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { poolFields } from './globalAveragePool.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** Owner of shaders/nn/global-average-pool-backward.wgsl. */
export class GlobalAveragePoolBackward {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<GlobalAveragePoolBackward> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'GlobalAveragePoolBackward',
      entryPoint: 'averagePoolBackward',
      sources: [source],
      bindings: ['uniform', 'read', 'write'],
    });
    return new GlobalAveragePoolBackward(kernel);
  }

  call(op: OpOf<'globalAveragePool.backward'>, operands: Operands): KernelCall {
    const lanes = op.geometry.batch * op.geometry.channels;
    const issuedBytes = 4 * lanes * (op.geometry.pixels + 1);
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes }, [
      operands.uniform(poolFields, { ...op.geometry }),
      operands.tensor(op.outputGradient),
      operands.tensor(op.inputGradient),
    ]);
  }
}
