import { deviceIsSoftware } from '../device.ts';
import type { GpuQueue } from '../queue.ts';
import { Add } from './add.ts';
import { AveragePoolBackward } from './averagePoolBackward.ts';
import { AveragePoolForward } from './averagePoolForward.ts';
import { BatchNormBackwardInput } from './batchNormBackwardInput.ts';
import { BatchNormBackwardStatistics } from './batchNormBackwardStatistics.ts';
import { BatchNormMergeGradients } from './batchNormMergeGradients.ts';
import { BatchNormMergeStatistics } from './batchNormMergeStatistics.ts';
import { BatchNormNormalize } from './batchNormNormalize.ts';
import { BatchNormRunningStatistics } from './batchNormRunningStatistics.ts';
import { BatchNormStatistics } from './batchNormStatistics.ts';
import { BatchNormUpdateRunning } from './batchNormUpdateRunning.ts';
import { Classify } from './classify.ts';
import { defaultWorkgroupSize, type Instrument, type KernelContext } from './computeKernel.ts';
import { CompileClock } from './compileClock.ts';
import { Conv2dBackwardInput } from './conv2dBackwardInput.ts';
import { Conv2dBackwardWeight } from './conv2dBackwardWeight.ts';
import { Conv2dBackwardWeightTile } from './conv2dBackwardWeightTile.ts';
import { Conv2dForward } from './conv2dForward.ts';
import { Conv2dBackwardWeightStaged, Conv2dStaged } from './conv2dStaged.ts';
import { Conv2dStrip } from './conv2dStrip.ts';
import { Conv2dTile } from './conv2dTile.ts';
import type { VariantSupport } from './convVariants.ts';
import { CopyChannels } from './copyChannels.ts';
import { DenseBackwardInput } from './denseBackwardInput.ts';
import { DenseBackwardWeight } from './denseBackwardWeight.ts';
import { DenseForward } from './denseForward.ts';
import { GlobalAveragePoolBackward } from './globalAveragePoolBackward.ts';
import { GlobalAveragePoolForward } from './globalAveragePoolForward.ts';
import { MaxPoolBackward } from './maxPoolBackward.ts';
import { MaxPoolForward } from './maxPoolForward.ts';
import { MomentumUpdate } from './momentumUpdate.ts';
import { hasConsecutiveQuads } from './quads.ts';
import { SoftmaxCrossEntropy } from './softmaxCrossEntropy.ts';
import { SumSlices } from './sumSlices.ts';
import { TileRanges } from './tileRanges.ts';

/**
 * The kernels of the training step on one device. Each is compiled when it is first asked for and
 * kept: geometry is not compiled in, so trainers of all batch sizes share them.
 */
export class KernelSet {
  readonly #context: KernelContext;
  readonly #compileClock = new CompileClock();
  #support: Promise<VariantSupport> | undefined;

  /** `workgroupSize`: lanes of a workgroup, a power of two that the device allows. */
  constructor(queue: GpuQueue, workgroupSize = defaultWorkgroupSize, instrument?: Instrument) {
    const ranges = new TileRanges(queue.device);
    const shared = { queue, ranges, workgroupSize, compileClock: this.#compileClock };
    this.#context = { ...shared, ...(instrument && { instrument }) };
  }

  /** Seconds during which kernels were being compiled so far. */
  get compileSeconds(): number {
    return this.#compileClock.seconds;
  }

  /** What the device has that variants may need; found out once. */
  support(): Promise<VariantSupport> {
    const { queue } = this.#context;
    const software = deviceIsSoftware(queue.device);
    this.#support ??= hasConsecutiveQuads(queue).then((quads) => ({ quads, software }));
    return this.#support;
  }

  readonly conv2dForward = this.#compiledOnce(Conv2dForward);
  readonly conv2dBackwardInput = this.#compiledOnce(Conv2dBackwardInput);
  readonly conv2dBackwardWeight = this.#compiledOnce(Conv2dBackwardWeight);
  readonly conv2dStaged = this.#compiledOnce(Conv2dStaged);
  readonly conv2dBackwardWeightStaged = this.#compiledOnce(Conv2dBackwardWeightStaged);
  readonly conv2dStrip = this.#compiledOnce(Conv2dStrip);
  readonly conv2dTile = this.#compiledOnce(Conv2dTile);
  readonly conv2dBackwardWeightTile = this.#compiledOnce(Conv2dBackwardWeightTile);
  readonly sumSlices = this.#compiledOnce(SumSlices);
  readonly batchNormStatistics = this.#compiledOnce(BatchNormStatistics);
  readonly batchNormMergeStatistics = this.#compiledOnce(BatchNormMergeStatistics);
  readonly batchNormNormalize = this.#compiledOnce(BatchNormNormalize);
  readonly batchNormBackwardStatistics = this.#compiledOnce(BatchNormBackwardStatistics);
  readonly batchNormMergeGradients = this.#compiledOnce(BatchNormMergeGradients);
  readonly batchNormBackwardInput = this.#compiledOnce(BatchNormBackwardInput);
  readonly globalAveragePoolForward = this.#compiledOnce(GlobalAveragePoolForward);
  readonly globalAveragePoolBackward = this.#compiledOnce(GlobalAveragePoolBackward);
  readonly denseForward = this.#compiledOnce(DenseForward);
  readonly denseBackwardInput = this.#compiledOnce(DenseBackwardInput);
  readonly denseBackwardWeight = this.#compiledOnce(DenseBackwardWeight);
  readonly softmaxCrossEntropy = this.#compiledOnce(SoftmaxCrossEntropy);
  readonly add = this.#compiledOnce(Add);
  readonly averagePoolBackward = this.#compiledOnce(AveragePoolBackward);
  readonly averagePoolForward = this.#compiledOnce(AveragePoolForward);
  readonly batchNormRunningStatistics = this.#compiledOnce(BatchNormRunningStatistics);
  readonly batchNormUpdateRunning = this.#compiledOnce(BatchNormUpdateRunning);
  readonly classify = this.#compiledOnce(Classify);
  readonly copyChannels = this.#compiledOnce(CopyChannels);
  readonly maxPoolBackward = this.#compiledOnce(MaxPoolBackward);
  readonly maxPoolForward = this.#compiledOnce(MaxPoolForward);
  readonly momentumUpdate = this.#compiledOnce(MomentumUpdate);

  destroy(): void {
    this.#context.ranges.destroy();
  }

  /** The owner for given options, created at the first call. */
  #compiledOnce<Options extends unknown[], Owner>(owner: {
    create(context: KernelContext, ...options: Options): Promise<Owner>;
  }): (...options: Options) => Promise<Owner> {
    const owners = new Map<string, Promise<Owner>>();
    return (...options) => {
      const key = JSON.stringify(options);
      const known = owners.get(key);
      if (known !== undefined) return known;
      const created = owner.create(this.#context, ...options);
      owners.set(key, created);
      return created;
    };
  }
}
