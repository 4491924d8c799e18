import source from '../../../shaders/nn/batch-norm-running-statistics.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** `RunningStatistics` of shaders/nn/batch-norm-running-statistics.wgsl. */
export const runningStatisticsFields = { channels: 'u32', epsilon: 'f32' } as const;

/** Owner of shaders/nn/batch-norm-running-statistics.wgsl. */
export class BatchNormRunningStatistics {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<BatchNormRunningStatistics> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'BatchNormRunningStatistics',
      entryPoint: 'runningStatistics',
      sources: [source],
      bindings: ['uniform', 'read', 'write'],
    });
    return new BatchNormRunningStatistics(kernel);
  }

  call(op: OpOf<'batchNorm.runningStatistics'>, operands: Operands): KernelCall {
    const { channels, epsilon } = op.geometry;
    return this.#kernel.call(callLabel(op), { lanes: channels, issuedBytes: 16 * channels }, [
      operands.uniform(runningStatisticsFields, { channels, epsilon }),
      operands.tensor(op.running),
      operands.tensor(op.statistics),
    ]);
  }
}
