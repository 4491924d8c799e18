import spinShader from '../../../shaders/probe/spin.wgsl?raw';
import { createBuffer, createComputePipeline } from '../buffers.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';

const workgroups = 1024;
const lanes = 64 * workgroups;

/**
 * Lengths of successive passes relative to their mean, by the golden ratio: passes of one length
 * would end on one multiple of it, and hide the grid of the timestamps.
 */
const lengths = Array.from({ length: 16 }, (_, index) => 0.5 + ((index * 0.618034) % 1));

/** Work that only takes time, as much as asked for: it warms the device and proves its timer. */
export class Spin {
  readonly #queue: GpuQueue;
  readonly #pipeline: GPUComputePipeline;
  readonly #trips: readonly GPUBuffer[];
  readonly #bindings: readonly GPUBindGroup[];

  private constructor(
    queue: GpuQueue,
    pipeline: GPUComputePipeline,
    trips: readonly GPUBuffer[],
    sink: GPUBuffer,
  ) {
    this.#queue = queue;
    this.#pipeline = pipeline;
    this.#trips = trips;
    const layout = pipeline.getBindGroupLayout(0);
    this.#bindings = trips.map((buffer) => {
      const entries = [buffer, sink].map((bound, binding) => ({
        binding,
        resource: { buffer: bound },
      }));
      return queue.device.createBindGroup({ layout, entries });
    });
  }

  static async create(queue: GpuQueue): Promise<Spin> {
    const pipeline = await createComputePipeline(queue, 'spin', spinShader);
    const { UNIFORM, COPY_DST, STORAGE } = GPUBufferUsage;
    const trips = { size: 4, usage: UNIFORM | COPY_DST };
    const sink = await createBuffer(queue, { size: 4 * lanes, usage: STORAGE });
    return new Spin(
      queue,
      pipeline,
      await Promise.all(lengths.map(() => createBuffer(queue, trips))),
      sink,
    );
  }

  /** Passes of so many trips on average; passes made before change with them. */
  passes(count: number, trips: number, expectedSeconds: number): TimedPass[] {
    for (const [index, buffer] of this.#trips.entries()) {
      const length = Math.ceil(trips * (lengths[index] ?? 1));
      this.#queue.device.queue.writeBuffer(buffer, 0, new Uint32Array([length]));
    }
    return Array.from({ length: count }, (_, index) => ({
      expectedSeconds,
      record: (pass) => {
        pass.setPipeline(this.#pipeline);
        pass.setBindGroup(0, this.#bindings[index % lengths.length]);
        pass.dispatchWorkgroups(workgroups);
      },
    }));
  }
}
