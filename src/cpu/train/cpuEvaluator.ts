import type { EvaluationPlan } from '../../core/nn/plan.ts';
import type { Pool } from '../pool.ts';
import type { CpuTrainer } from './cpuTrainer.ts';
import { startReplicas, type Replicas } from './replicas.ts';

const noRates = { learningRate: 0, momentum: 0, weightDecay: 0 };

/** Runs an evaluation plan on the CPU; the threads of the pool must not be training meanwhile. */
export class CpuEvaluator {
  readonly #replicas: Replicas<EvaluationPlan>;

  private constructor(replicas: Replicas<EvaluationPlan>) {
    this.#replicas = replicas;
  }

  /**
   * Takes `threads` threads of the pool and the parameters and running statistics of a trainer.
   * Throws a `CpuFault` where the memory is refused.
   */
  static async create(
    pool: Pool,
    plan: EvaluationPlan,
    threads: number,
    trained: Awaited<ReturnType<CpuTrainer['readTrained']>>,
  ): Promise<CpuEvaluator> {
    const shape = { planOf: () => plan, batches: [plan.batch], threads };
    const replicas = await startReplicas(pool, shape, pool.signal);
    const replica = replicas.all[0]!;
    await replica.write(replica.layout.parameters, trained.parameters);
    await replica.write(replica.layout.running, trained.running);
    return new CpuEvaluator(replicas);
  }

  /** How many images of a batch are classified as their labels say. */
  async correct(images: Float32Array, labels: ArrayLike<number>): Promise<number> {
    const [replica] = this.#replicas.all;
    const { inputTensor, labelsTensor, correctTensor } = replica!.plan;
    await replica!.writeTensor(inputTensor, images);
    await replica!.writeTensor(labelsTensor, Uint32Array.from(labels));
    await this.#replicas.call((thread) => thread.trainStep(noRates));
    const correct = await replica!.readTensor(correctTensor);
    return correct.reduce((sum, right) => sum + right, 0);
  }

  async disband(): Promise<void> {
    await this.#replicas.disband();
  }
}
