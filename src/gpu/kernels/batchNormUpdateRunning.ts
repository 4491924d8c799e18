import source from '../../../shaders/nn/batch-norm-update-running.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** `RunningUpdate` of shaders/nn/batch-norm-update-running.wgsl. */
export const runningUpdateFields = {
  channels: 'u32',
  momentum: 'f32',
  unbias: 'f32',
  epsilon: 'f32',
} as const;

/** Owner of shaders/nn/batch-norm-update-running.wgsl. */
export class BatchNormUpdateRunning {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<BatchNormUpdateRunning> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'BatchNormUpdateRunning',
      entryPoint: 'updateRunning',
      sources: [source],
      bindings: ['uniform', 'read', 'write'],
    });
    return new BatchNormUpdateRunning(kernel);
  }

  call(op: OpOf<'batchNorm.updateRunning'>, operands: Operands): KernelCall {
    const { pixels, channels, epsilon } = op.geometry;
    const unbias = pixels > 1 ? pixels / (pixels - 1) : 1;
    return this.#kernel.call(callLabel(op), { lanes: channels, issuedBytes: 24 * channels }, [
      operands.uniform(runningUpdateFields, { channels, momentum: op.momentum, unbias, epsilon }),
      operands.tensor(op.statistics),
      operands.tensor(op.running),
    ]);
  }
}
