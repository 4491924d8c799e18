import {
  goldenInput,
  goldenPlan,
  runGolden,
  type GoldenCase,
  type GoldenExecutor,
  type GoldenOutcome,
} from '../../src/core/nn/golden.ts';
import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import { loadFashionBytes } from '../../src/data/fashionMnist.ts';
import { openDevice, type OpenGpu } from '../../src/gpu/device.ts';
import { failureOf } from '../../src/gpu/faults.ts';
import { choicesOf } from '../../src/gpu/kernels/convVariants.ts';
import { KernelSet } from '../../src/gpu/kernels/kernelSet.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTrainer } from '../../src/gpu/train/gpuTrainer.ts';

/** How a golden case is run on the GPU. */
export interface GpuGoldenOptions {
  /** What the variants of the convolutions are to begin with, such as `quad`; else the defaults. */
  readonly variant?: string;
  /** A device that is open already, and stays so; else a new one. */
  readonly device?: OpenGpu;
}

/**
 * Runs a golden case on this browser's GPU. A convolution that has no variant of the wanted kind runs
 * by its default.
 */
export async function runGoldenOnGpu(
  golden: GoldenCase,
  { variant, device: given }: GpuGoldenOptions = {},
): Promise<GoldenOutcome> {
  const opened = given ?? (await openDevice());
  if (opened.kind === 'failure') return opened;
  const { device, watch } = opened;
  try {
    const queue = new GpuQueue(device, watch, new AbortController().signal);
    const plan = goldenPlan(golden);
    const input = await goldenInput(golden, () => loadFashionBytes('train'));
    const kernels = new KernelSet(queue);
    const choices =
      variant === undefined ? {} : choicesOf(plan.ops, await kernels.support(), variant);
    const parameters = initialParameters(plan, golden.seed);
    const trainer = await GpuTrainer.create(queue, plan, parameters, kernels, choices);
    return { kind: 'ok', result: await runGolden(golden, input, executor(trainer)) };
  } catch (error) {
    return { kind: 'failure', failure: failureOf(error, 'golden run') };
  } finally {
    if (given === undefined) device.destroy();
  }
}

function executor(trainer: GpuTrainer): GoldenExecutor {
  return {
    step: async (images, labels, rates) => {
      await trainer.step(images, labels, rates);
      const losses = await trainer.readLosses();
      return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    },
    readLogits: () => trainer.readLogits(),
    readGradients: () => trainer.readGradients(),
  };
}
