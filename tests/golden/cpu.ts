import {
  goldenInput,
  goldenPlan,
  runGolden,
  type GoldenCase,
  type GoldenExecutor,
  type GoldenOutcome,
} from '../../src/core/nn/golden.ts';
import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import { failureOf } from '../../src/cpu/faults.ts';
import type { ModuleBuild } from '../../src/cpu/module.ts';
import { CpuTrainer } from '../../src/cpu/train/cpuTrainer.ts';
import { loadFashionBytes } from '../../src/data/fashionMnist.ts';
import { openPool } from './cpu-threads.ts';

/** How a golden case is run on the CPU. */
export interface CpuGoldenOptions {
  readonly threads: number;
  /** Each is given the whole batch of the case. */
  readonly replicas: number;
  readonly build: ModuleBuild;
  /** Whether replicas share memory or send messages. */
  readonly sharedMemory: boolean;
}

/** Runs a golden case on the CPU, with threads and memory of its own. */
export async function runGoldenOnCpu(
  golden: GoldenCase,
  { threads, replicas, build, sharedMemory }: CpuGoldenOptions,
): Promise<GoldenOutcome> {
  const pool = await openPool(threads * replicas, build, sharedMemory);
  try {
    const plan = goldenPlan(golden);
    const input = await goldenInput(golden, () => loadFashionBytes('train'));
    const trainer = await CpuTrainer.create(
      pool,
      { planOf: () => plan, batches: Array.from({ length: replicas }, () => plan.batch), threads },
      initialParameters(plan, golden.seed),
    );
    return { kind: 'ok', result: await runGolden(golden, input, executor(trainer, replicas)) };
  } catch (error) {
    return { kind: 'failure', failure: failureOf(error, 'golden run') };
  } finally {
    pool.terminate();
  }
}

function executor(trainer: CpuTrainer, replicas: number): GoldenExecutor {
  return {
    step: async (images, labels, rates) => {
      await trainer.setInput(repeated(images, replicas), repeated(labels, replicas));
      await trainer.step(rates);
      return trainer.readLoss();
    },
    // Those of the first replica: all saw the same images.
    readLogits: async () => {
      const logits = await trainer.readLogits();
      return logits.slice(0, logits.length / replicas);
    },
    readGradients: () => trainer.readGradients(),
  };
}

function repeated(values: ArrayLike<number>, times: number): Float32Array {
  const all = new Float32Array(values.length * times);
  for (let at = 0; at < times; at++) all.set(values, at * values.length);
  return all;
}
