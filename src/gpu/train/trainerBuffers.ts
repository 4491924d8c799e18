import type { MemoryPlan } from '../../core/nn/memoryPlan.ts';
import type { StepRates, TensorId, TensorSpec, TrainingPlan } from '../../core/nn/plan.ts';
import { createBuffer } from '../buffers.ts';
import { momentPlaces } from '../kernels/begunStatistics.ts';
import { rateFields } from '../kernels/momentumUpdate.ts';
import { scratchLength } from '../kernels/opCalls.ts';
import type { BufferRange, Operands } from '../kernels/operands.ts';
import {
  uniformBytes,
  UniformSlots,
  type UniformFields,
  type UniformValues,
} from '../kernels/uniforms.ts';
import type { GpuQueue } from '../queue.ts';

/** Labels, losses and everything else are 32-bit. */
const elementSize = 4;

/** What buffers are made for: a training or an evaluation plan, or a part of one. */
type BufferedPlan = Pick<TrainingPlan, 'tensors' | 'ops' | 'parameterLength' | 'runningLength'>;

/** Tensors of these storages lie in one buffer each. */
const stores = ['parameter', 'gradient', 'velocity', 'running'] as const;
type Store = (typeof stores)[number];

interface BufferOptions {
  /** Where activations and statistics lie; absent, each has a buffer of its own. */
  readonly memory?: MemoryPlan;
  /** Buffers of a trainer of the same network, which must outlive these. */
  readonly lent?: Pick<TrainerBuffers, 'parameters' | 'running'>;
}

/**
 * The GPU memory of one trainer or evaluator: parameters, gradients, velocities and running
 * statistics one buffer each, activations in arenas, scratch and moments for partial results.
 */
export class TrainerBuffers implements Operands {
  readonly scratch: BufferRange;
  readonly rates: BufferRange;
  /** Bytes of all buffers that are its own, small uniforms apart. */
  readonly size: number;
  readonly #queue: GpuQueue;
  readonly #tensors: readonly BufferRange[];
  readonly #moments: ReadonlyMap<TensorId, BufferRange>;
  readonly #stores: Stores;
  readonly #own: readonly GPUBuffer[];
  readonly #uniforms: UniformSlots;

  private constructor(queue: GpuQueue, { tensors, scratch, moments, stores: held, own }: Owned) {
    this.#queue = queue;
    this.#tensors = tensors;
    this.#moments = moments;
    this.#stores = held;
    this.#own = own;
    this.scratch = scratch;
    this.size = own.reduce((sum, { size }) => sum + size, 0);
    this.#uniforms = new UniformSlots(queue.device, 'TrainerBuffers.uniforms');
    this.rates = this.#uniforms.add(uniformBytes(rateFields, noRates));
  }

  /** Allocates for a plan; memory that is not there throws an `out-of-memory` fault. */
  static async create(
    queue: GpuQueue,
    plan: BufferedPlan,
    { memory, lent }: BufferOptions = {},
  ): Promise<TrainerBuffers> {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const own: GPUBuffer[] = [];
    const allocate = async (name: string, size: number): Promise<BufferRange> => {
      const usage = STORAGE | COPY_SRC | COPY_DST;
      const buffer = await createBuffer(queue, { label: `TrainerBuffers.${name}`, size, usage });
      own.push(buffer);
      return { buffer, offset: 0, size };
    };
    const allocateStore = async (store: Store): Promise<[Store, BufferRange]> => {
      const length = store === 'running' ? plan.runningLength : plan.parameterLength;
      return [store, await allocate(store, elementSize * Math.max(1, length))];
    };
    const held: Stores =
      lent === undefined ? {} : { parameter: lent.parameters, running: lent.running };
    try {
      const missing = stores.filter((store) => lent === undefined && held[store] === undefined);
      const made = await Promise.all(missing.map(allocateStore));
      const all: Stores = { ...held, ...Object.fromEntries(made) };
      const scratchSize = elementSize * Math.max(1, ...plan.ops.map(scratchLength));
      const scratch = await allocate('scratch', scratchSize);
      const moments = await placedMoments(plan.ops, allocate);
      const arenas = await Promise.all(
        (memory?.arenaSizes ?? []).map((size, arena) => allocate(`arena${arena}`, size)),
      );
      const place = async (spec: TensorSpec): Promise<BufferRange> => {
        switch (spec.storage) {
          case 'parameter':
          case 'gradient':
          case 'velocity':
          case 'running':
            return part(storeOf(all, spec.storage), spec);
          case 'input':
          case 'labels':
            return allocate(spec.name, elementSize * spec.length);
          case 'activation':
          case 'statistics': {
            const size = elementSize * spec.length;
            const found = memory?.places[spec.id];
            if (found === undefined) return allocate(spec.name, size);
            return { buffer: arenas[found.arena]!.buffer, offset: found.offset, size };
          }
        }
      };
      const tensors = await Promise.all(plan.tensors.map(place));
      return new TrainerBuffers(queue, { tensors, scratch, moments, stores: all, own });
    } catch (error) {
      for (const buffer of own) buffer.destroy();
      throw error;
    }
  }

  get parameters(): BufferRange {
    return storeOf(this.#stores, 'parameter');
  }

  get gradients(): BufferRange {
    return storeOf(this.#stores, 'gradient');
  }

  get velocities(): BufferRange {
    return storeOf(this.#stores, 'velocity');
  }

  get running(): BufferRange {
    return storeOf(this.#stores, 'running');
  }

  tensor(id: TensorId): BufferRange {
    const range = this.#tensors[id];
    if (range === undefined) throw new Error(`no tensor ${id} in the plan`);
    return range;
  }

  moments(made: TensorId): BufferRange {
    const range = this.#moments.get(made);
    if (range === undefined) throw new Error(`no moments of tensor ${made}`);
    return range;
  }

  uniform<Fields extends UniformFields>(
    fields: Fields,
    values: UniformValues<Fields>,
  ): GPUBufferBinding {
    return this.#uniforms.add(uniformBytes(fields, values));
  }

  /** Writes a tensor from its start; takes effect before the next submit. */
  write({ buffer, offset }: BufferRange, content: GPUAllowSharedBufferSource): void {
    this.#queue.device.queue.writeBuffer(buffer, offset, content);
  }

  writeRates(rates: StepRates): void {
    this.write(this.rates, uniformBytes(rateFields, rates));
  }

  /** Frees what is its own. */
  destroy(): void {
    for (const buffer of this.#own) buffer.destroy();
    this.#uniforms.destroy();
  }
}

type Stores = Readonly<Partial<Record<Store, BufferRange>>>;

interface Owned {
  readonly tensors: readonly BufferRange[];
  readonly scratch: BufferRange;
  readonly moments: ReadonlyMap<TensorId, BufferRange>;
  readonly stores: Stores;
  readonly own: readonly GPUBuffer[];
}

const noRates: StepRates = { learningRate: 0, momentum: 0, weightDecay: 0 };

function storeOf(held: Stores, store: Store): BufferRange {
  const range = held[store];
  if (range === undefined) throw new Error(`an evaluation has no ${store} buffer`);
  return range;
}

/** Room for the moments that convolutions leave for batch-norm's statistics, by the tensor they make. */
async function placedMoments(
  ops: BufferedPlan['ops'],
  allocate: (name: string, size: number) => Promise<BufferRange>,
): Promise<ReadonlyMap<TensorId, BufferRange>> {
  const { length, places } = momentPlaces(ops);
  const all = await allocate('moments', elementSize * Math.max(1, length));
  return new Map(Array.from(places, ([id, place]) => [id, part(all, place)]));
}

function part(
  { buffer }: BufferRange,
  { offset, length }: Pick<TensorSpec, 'offset' | 'length'>,
): BufferRange {
  return { buffer, offset: elementSize * offset, size: elementSize * length };
}
