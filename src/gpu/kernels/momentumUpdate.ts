import source from '../../../shaders/nn/momentum-update.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** `Update` of shaders/nn/momentum-update.wgsl. */
export const updateFields = { length: 'u32', decayLength: 'u32' } as const;

/** `Rates` of shaders/nn/momentum-update.wgsl. */
export const rateFields = { learningRate: 'f32', momentum: 'f32', weightDecay: 'f32' } as const;

/** `elementsPerLane` of the shader. */
const elementsPerLane = 16;

/** Owner of shaders/nn/momentum-update.wgsl. */
export class MomentumUpdate {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<MomentumUpdate> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'MomentumUpdate',
      entryPoint: 'momentumUpdate',
      sources: [source],
      bindings: ['uniform', 'read', 'write', 'write', 'uniform'],
    });
    return new MomentumUpdate(kernel);
  }

  call(op: OpOf<'momentum.update'>, operands: Operands): KernelCall {
    // Of each element the gradient, the velocity and the parameter, and the last two again.
    const extent = { lanes: op.length / elementsPerLane, issuedBytes: 20 * op.length };
    return this.#kernel.call(callLabel(op), extent, [
      operands.uniform(updateFields, { length: op.length, decayLength: op.decayLength }),
      operands.gradients,
      operands.velocities,
      operands.parameters,
      operands.rates,
    ]);
  }
}
