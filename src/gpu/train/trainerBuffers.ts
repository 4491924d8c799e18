import type { StepRates, TensorId, TensorSpec, TrainingPlan } from '../../core/nn/plan.ts';
import { createBuffer } from '../buffers.ts';
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

/**
 * The GPU memory of one trainer: parameters, gradients and velocities one buffer each, every other
 * tensor its own, and scratch for partial results.
 */
export class TrainerBuffers implements Operands {
  readonly scratch: BufferRange;
  readonly parameters: BufferRange;
  readonly gradients: BufferRange;
  readonly velocities: BufferRange;
  readonly rates: BufferRange;
  readonly #queue: GpuQueue;
  readonly #tensors: readonly BufferRange[];
  readonly #uniforms: UniformSlots;

  private constructor(queue: GpuQueue, owned: Owned) {
    this.#queue = queue;
    this.#tensors = owned.tensors;
    this.scratch = owned.scratch;
    this.parameters = owned.parameters;
    this.gradients = owned.gradients;
    this.velocities = owned.velocities;
    this.#uniforms = new UniformSlots(queue.device, 'TrainerBuffers.uniforms');
    this.rates = this.#uniforms.add(uniformBytes(rateFields, noRates));
  }

  /** Allocates for a plan; memory that is not there throws an `out-of-memory` fault. */
  static async create(
    queue: GpuQueue,
    plan: Pick<TrainingPlan, 'tensors' | 'parameterLength' | 'ops'>,
  ): Promise<TrainerBuffers> {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const created: GPUBuffer[] = [];
    const allocate = async (name: string, length: number): Promise<BufferRange> => {
      const size = elementSize * length;
      const usage = STORAGE | COPY_SRC | COPY_DST;
      const buffer = await createBuffer(queue, { label: `TrainerBuffers.${name}`, size, usage });
      created.push(buffer);
      return { buffer, offset: 0, size };
    };
    const shared = (name: string) => allocate(name, plan.parameterLength);
    try {
      const [parameters, gradients, velocities, scratch] = await Promise.all([
        shared('parameters'),
        shared('gradients'),
        shared('velocities'),
        allocate('scratch', Math.max(1, ...plan.ops.map(scratchLength))),
      ]);
      const place = async (spec: TensorSpec): Promise<BufferRange> => {
        switch (spec.storage) {
          case 'parameter':
            return part(parameters, spec);
          case 'gradient':
            return part(gradients, spec);
          case 'velocity':
            return part(velocities, spec);
          case 'running':
          case 'input':
          case 'labels':
          case 'activation':
          case 'statistics':
            return allocate(spec.name, spec.length);
        }
      };
      const tensors = await Promise.all(plan.tensors.map(place));
      return new TrainerBuffers(queue, { tensors, scratch, parameters, gradients, velocities });
    } catch (error) {
      for (const buffer of created) buffer.destroy();
      throw error;
    }
  }

  tensor(id: TensorId): BufferRange {
    const range = this.#tensors[id];
    if (range === undefined) throw new Error(`no tensor ${id} in the plan`);
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

  destroy(): void {
    const ranges = [this.scratch, this.parameters, this.gradients, this.velocities];
    // A tensor may be a part of a buffer that is destroyed already: destroying again is nothing.
    for (const { buffer } of [...ranges, ...this.#tensors]) buffer.destroy();
    this.#uniforms.destroy();
  }
}

interface Owned {
  readonly tensors: readonly BufferRange[];
  readonly scratch: BufferRange;
  readonly parameters: BufferRange;
  readonly gradients: BufferRange;
  readonly velocities: BufferRange;
}

const noRates: StepRates = { learningRate: 0, momentum: 0, weightDecay: 0 };

function part({ buffer }: BufferRange, { offset, length }: TensorSpec): BufferRange {
  return { buffer, offset: elementSize * offset, size: elementSize * length };
}
