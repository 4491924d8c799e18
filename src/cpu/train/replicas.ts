import type { EvaluationPlan, TensorId, TrainingPlan } from '../../core/nn/plan.ts';
import { Barrier } from '../barrier.ts';
import { CpuFault, cpuFault } from '../faults.ts';
import type { Pool, ThreadClient, ThreadHandle } from '../pool.ts';
import type { CacheSizes } from './caches.ts';
import { elementSize } from './opCall.ts';
import { addressOf, stepLayout, type StepLayout } from './stepLayout.ts';
import { controlPage, replicaBase, sharesAddress, trainingMemory } from './trainingMemory.ts';

/** What threads can run: steps of training, or evaluations. */
export type StepPlan = TrainingPlan | EvaluationPlan;

/** Replicas with a share of the batch each, and the threads of each of them. */
export interface ReplicaShape<Plan extends StepPlan> {
  /** The plan of a share of so many images. */
  readonly planOf: (batch: number) => Plan;
  /** Images of each replica. */
  readonly batches: readonly number[];
  readonly threads: number;
  /** Of the machine, where they were measured. */
  readonly caches?: CacheSizes | undefined;
}

/** A replica as the coordinator sees it: where its memory is, and the first of its threads. */
export class Replica<Plan extends StepPlan> {
  readonly plan: Plan;
  readonly layout: StepLayout;
  readonly #base: number;
  readonly #thread: ThreadHandle;
  /** Undefined where only the thread can reach it. */
  readonly #memory: WebAssembly.Memory | undefined;

  constructor(
    plan: Plan,
    layout: StepLayout,
    base: number,
    thread: ThreadHandle,
    memory: WebAssembly.Memory | undefined,
  ) {
    this.plan = plan;
    this.layout = layout;
    this.#base = base;
    this.#thread = thread;
    this.#memory = memory;
  }

  /** Bytes of the memory that it lies in, which does not grow. */
  get memorySize(): number {
    return this.#memory?.buffer.byteLength ?? this.#base + this.layout.size;
  }

  /** Writes at `offset` bytes of the region. */
  async write(offset: number, content: Float32Array | Uint32Array): Promise<void> {
    const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
    const address = this.#base + offset;
    if (this.#memory === undefined)
      await this.#thread.call(this.#thread.client.writeTraining(address, bytes.slice()));
    else new Uint8Array(this.#memory.buffer).set(bytes, address);
  }

  /** Reads `length` elements at `offset` bytes of the region. */
  async read(offset: number, length: number): Promise<Float32Array<ArrayBuffer>> {
    const address = this.#base + offset;
    const size = length * elementSize;
    const bytes =
      this.#memory === undefined
        ? await this.#thread.call(this.#thread.client.readTraining(address, size))
        : new Uint8Array(this.#memory.buffer).slice(address, address + size);
    return new Float32Array(bytes.buffer);
  }

  async writeTensor(id: TensorId, content: Float32Array | Uint32Array): Promise<void> {
    const spec = this.plan.tensors[id];
    if (spec?.length !== content.length)
      throw new RangeError(`${spec?.name} has ${spec?.length} elements, not ${content.length}`);
    await this.write(addressOf(this.layout, 0, id), content);
  }

  readTensor(id: TensorId): Promise<Float32Array<ArrayBuffer>> {
    return this.read(addressOf(this.layout, 0, id), this.plan.tensors[id]!.length);
  }

  byName(all: Float32Array): Map<string, Float32Array> {
    return new Map(
      this.plan.parameters.map(({ name, offset, length }) => [
        name,
        all.subarray(offset, offset + length),
      ]),
    );
  }
}

/** All replicas of a training run and their threads. */
export class Replicas<Plan extends StepPlan> {
  readonly all: readonly Replica<Plan>[];
  /** Of the batch, one each. */
  readonly shares: readonly number[];
  /** Whether the replicas lie in one memory. */
  readonly shared: boolean;
  readonly #threads: readonly ThreadHandle[];
  readonly #barriers: readonly Barrier[];
  readonly #signal: AbortSignal;

  constructor(
    all: readonly Replica<Plan>[],
    shares: readonly number[],
    threads: readonly ThreadHandle[],
    barriers: readonly Barrier[],
    signal: AbortSignal,
  ) {
    this.all = all;
    this.shares = shares;
    this.shared = barriers.length > 0;
    this.#threads = threads;
    this.#barriers = barriers;
    this.#signal = signal;
    signal.addEventListener('abort', this.#cancel);
  }

  /** Bytes of memory of all replicas. */
  get memorySize(): number {
    const sizes = this.all.map(({ memorySize }) => memorySize);
    return this.shared ? sizes[0]! : sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Calls all threads at once. Throws the signal's reason when cancelled. */
  async call<T>(task: (thread: ThreadClient) => Promise<T>): Promise<T[]> {
    this.#signal.throwIfAborted();
    const results = await Promise.all(
      this.#threads.map((thread) => thread.call(task(thread.client))),
    );
    this.#signal.throwIfAborted();
    return results;
  }

  async disband(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#cancel);
    await Promise.all(this.#threads.map((thread) => thread.call(thread.client.leaveTraining())));
  }

  readonly #cancel = (): void => {
    for (const barrier of this.#barriers) barrier.cancel();
  };
}

/** Starts the threads of all replicas: in one shared memory, or one thread each in its own. */
export async function startReplicas<Plan extends StepPlan>(
  pool: Pool,
  { planOf, batches, threads, caches }: ReplicaShape<Plan>,
  signal: AbortSignal,
): Promise<Replicas<Plan>> {
  signal.throwIfAborted();
  const handles = pool.first(batches.length * threads);
  const total = batches.reduce((sum, batch) => sum + batch, 0);
  const shares = batches.map((batch) => batch / total);
  const plans = batches.map(planOf);
  const layouts = plans.map((plan) => stepLayout(plan, threads, caches));
  const regionSize = Math.max(...layouts.map(({ size }) => size));
  const count = batches.length;
  const memory = pool.sharedMemory ? trainingMemory(count, regionSize, true) : undefined;
  if (pool.sharedMemory && memory === undefined) throw outOfMemory(count * regionSize);
  const joined = await Promise.all(
    handles.map((thread, at) => {
      const replica = Math.floor(at / threads);
      return thread.call(
        thread.client.joinTraining({
          module: pool.module,
          plan: plans[replica]!,
          replica,
          replicas: { shares, regionSize },
          threads,
          index: at % threads,
          ...(caches && { caches }),
          ...(memory && { memory }),
        }),
      );
    }),
  );
  if (!joined.every(Boolean)) throw outOfMemory(regionSize);
  if (memory !== undefined)
    new Float32Array(memory.buffer, sharesAddress(count), count).set(shares);
  const all = plans.map(
    (plan, replica) =>
      new Replica(
        plan,
        layouts[replica]!,
        memory ? replicaBase(count, regionSize, replica) : replicaBase(1, regionSize, 0),
        handles[replica * threads]!,
        memory,
      ),
  );
  const barriers = memory
    ? [
        new Barrier(memory, handles.length, controlPage(0)),
        ...plans.map((_, replica) => new Barrier(memory, threads, controlPage(1 + replica))),
      ]
    : [];
  return new Replicas(all, shares, handles, barriers, signal);
}

/** The all-reduce over messages: the weighted sum in the order of the replicas. */
export async function averageParts({ all, shares }: Replicas<TrainingPlan>): Promise<void> {
  const parts = await Promise.all(
    all.map((replica) => replica.read(replica.layout.gradients, replica.plan.parameterLength)),
  );
  const sum = new Float32Array(parts[0]!.length);
  for (const [replica, part] of parts.entries()) {
    const share = Math.fround(shares[replica]!);
    // Each product and each sum is rounded to f32, as on shared memory.
    for (let at = 0; at < sum.length; at++) sum[at]! += Math.fround(part[at]! * share);
  }
  await Promise.all(all.map((replica) => replica.write(replica.layout.gradients, sum)));
}

function outOfMemory(size: number): CpuFault {
  return new CpuFault(cpuFault('out-of-memory', `${size} bytes were refused`));
}
