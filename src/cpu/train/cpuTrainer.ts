import type { StepRates, TensorId, TrainingPlan } from '../../core/nn/plan.ts';
import { initialRunning } from '../../core/nn/initialParameters.ts';
import type { Pool } from '../pool.ts';
import {
  averageParts,
  startReplicas,
  type Replica,
  type ReplicaShape,
  type Replicas,
} from './replicas.ts';
import type { StepTimes } from './stepRunner.ts';

/** Times of a step: seconds of the slowest thread, the others as means over the threads. */
export interface StepSample {
  readonly seconds: number;
  readonly barrierSeconds: number;
  readonly allReduceSeconds: number;
  /** Of each op, in the first replica as its first thread saw it. */
  readonly opSeconds: Float64Array;
}

/** Runs training steps of a plan on the CPU. */
export class CpuTrainer {
  readonly #replicas: Replicas<TrainingPlan>;

  private constructor(replicas: Replicas<TrainingPlan>) {
    this.#replicas = replicas;
  }

  /**
   * Takes threads of the pool, allocates, and writes the parameters (`parameterLength` elements of
   * the plans). `signal` ends a step at once; the pool's threads are free again after `disband`.
   * Throws a `CpuFault` where the memory is refused.
   */
  static async create(
    pool: Pool,
    shape: ReplicaShape<TrainingPlan>,
    initialParameters: ArrayLike<number>,
    signal: AbortSignal = pool.signal,
  ): Promise<CpuTrainer> {
    const replicas = await startReplicas(pool, shape, signal);
    const parameters = Float32Array.from(initialParameters);
    for (const replica of replicas.all) {
      await replica.write(replica.layout.parameters, parameters);
      await replica.write(
        replica.layout.velocities,
        new Float32Array(replica.plan.parameterLength),
      );
      await replica.write(replica.layout.running, Float32Array.from(initialRunning(replica.plan)));
    }
    return new CpuTrainer(replicas);
  }

  /** Images of a step, over all replicas. */
  get batch(): number {
    return this.#replicas.all.reduce((sum, { plan }) => sum + plan.batch, 0);
  }

  /** Bytes of memory of all replicas. */
  get memorySize(): number {
    return this.#replicas.memorySize;
  }

  /** Sets the batch of the next steps: NHWC, one class number an image, replica after replica. */
  async setInput(images: ArrayLike<number>, labels: ArrayLike<number>): Promise<void> {
    const { batch } = this;
    if (labels.length !== batch)
      throw new RangeError(`${labels.length} labels for a batch of ${batch}`);
    const allImages = Float32Array.from(images);
    const allLabels = Uint32Array.from(labels);
    const imageLength = allImages.length / batch;
    let first = 0;
    for (const replica of this.#replicas.all) {
      const { plan } = replica;
      const end = first + plan.batch;
      const part = allImages.subarray(first * imageLength, end * imageLength);
      await replica.writeTensor(plan.inputTensor, part);
      await replica.writeTensor(plan.labelsTensor, allLabels.subarray(first, end));
      first = end;
    }
  }

  /** One forward, backward and update on the batch that was set. */
  async step(rates: StepRates): Promise<StepSample> {
    const { shared, all } = this.#replicas;
    return shared || all.length === 1
      ? sampleOf(await this.#replicas.call((thread) => thread.trainStep(rates)))
      : this.#stepByMessages(rates);
  }

  /** The mean loss of the batch before the last update. */
  async readLoss(): Promise<number> {
    const losses = await this.#each(({ plan }) => plan.lossesTensor);
    const all = losses.flatMap((part) => Array.from(part));
    return all.reduce((sum, loss) => sum + loss, 0) / all.length;
  }

  /** [batch, classes] of the last step. */
  async readLogits(): Promise<Float32Array> {
    const parts = await this.#each(({ plan }) => plan.logitsTensor);
    return Float32Array.from(parts.flatMap((part) => Array.from(part)));
  }

  /** The last step's gradients by parameter name, averaged over the replicas. */
  async readGradients(): Promise<Map<string, Float32Array>> {
    const first = this.#replicas.all[0]!;
    return first.byName(await first.read(first.layout.gradients, first.plan.parameterLength));
  }

  /** The parameters as they lie in memory, and the running statistics of the first replica. */
  async readTrained(): Promise<{
    readonly parameters: Float32Array;
    readonly running: Float32Array;
  }> {
    const first = this.#replicas.all[0]!;
    const { layout, plan } = first;
    return {
      parameters: await first.read(layout.parameters, plan.parameterLength),
      running: await first.read(layout.running, plan.runningLength),
    };
  }

  /** Gives the threads and the memory back. */
  async disband(): Promise<void> {
    await this.#replicas.disband();
  }

  #each(tensor: (replica: Replica<TrainingPlan>) => TensorId): Promise<Float32Array[]> {
    return Promise.all(this.#replicas.all.map((replica) => replica.readTensor(tensor(replica))));
  }

  /** Without shared memory gradients travel to this thread and back. */
  async #stepByMessages(rates: StepRates): Promise<StepSample> {
    const replicas = this.#replicas;
    const start = performance.now();
    const gradients = await replicas.call((thread) => thread.trainPart('gradients', rates));
    const ready = performance.now();
    await averageParts(replicas);
    const averaged = performance.now();
    const updates = await replicas.call((thread) => thread.trainPart('update', rates));
    const seconds = (performance.now() - start) / 1000;
    const own = sampleOf(gradients);
    const updated = sampleOf(updates).opSeconds;
    return {
      ...own,
      seconds,
      allReduceSeconds: (averaged - ready) / 1000,
      opSeconds: own.opSeconds.map((each, op) => each + updated[op]!),
    };
  }
}

function sampleOf(times: readonly StepTimes[]): StepSample {
  const mean = (of: (each: StepTimes) => number) =>
    times.reduce((sum, each) => sum + of(each), 0) / times.length;
  return {
    seconds: Math.max(...times.map(({ seconds }) => seconds)),
    barrierSeconds: mean(({ barrierSeconds }) => barrierSeconds),
    allReduceSeconds: mean(({ allReduceSeconds }) => allReduceSeconds),
    opSeconds: times[0]!.opSeconds,
  };
}
