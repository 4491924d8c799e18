import { createBuffer, readBuffer } from '../../../src/gpu/buffers.ts';
import type { Instrument, KernelCall } from '../../../src/gpu/kernels/computeKernel.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { countedSource } from '../../support/countedSource.ts';

/** Kernels that count the bytes of storage they load and store, and what they have counted. */
export class CountingBuild implements Instrument {
  readonly layout: GPUBindGroupLayout;
  readonly group: GPUBindGroup;
  readonly #queue: GpuQueue;
  readonly #counter: GPUBuffer;

  private constructor(queue: GpuQueue, counter: GPUBuffer) {
    const { device } = queue;
    this.layout = device.createBindGroupLayout({
      entries: [{ binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' } }],
    });
    this.group = device.createBindGroup({
      layout: this.layout,
      entries: [{ binding: 0, resource: { buffer: counter } }],
    });
    this.#queue = queue;
    this.#counter = counter;
  }

  static async create(queue: GpuQueue): Promise<CountingBuild> {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const usage = STORAGE | COPY_SRC | COPY_DST;
    return new CountingBuild(queue, await createBuffer(queue, { size: 4, usage }));
  }

  instrumented(source: string): string {
    return countedSource(source);
  }

  /** Runs calls one after the other, each whole on at most `workgroups` workgroups; bytes of each. */
  async count(calls: readonly KernelCall[], workgroups: number): Promise<readonly number[]> {
    const { COPY_SRC, COPY_DST } = GPUBufferUsage;
    const size = 4 * calls.length;
    const counts = await createBuffer(this.#queue, { size, usage: COPY_SRC | COPY_DST });
    const encoder = this.#queue.device.createCommandEncoder();
    for (const [at, call] of calls.entries()) {
      encoder.clearBuffer(this.#counter);
      const pass = encoder.beginComputePass();
      call.record(pass, { first: 0, end: call.tiles }, workgroups);
      pass.end();
      encoder.copyBufferToBuffer(this.#counter, 0, counts, 4 * at, 4);
    }
    this.#queue.submit(encoder.finish());
    const counted = new Uint32Array(await readBuffer(this.#queue, counts));
    counts.destroy();
    return [...counted];
  }
}
