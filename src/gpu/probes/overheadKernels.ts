import barrierShader from '../../../shaders/probe/barrier.wgsl?raw';
import dispatchShader from '../../../shaders/probe/dispatch.wgsl?raw';
import type { Runs } from '../../core/probes/chainCheck.ts';
import { createBuffer, createComputePipeline, createUniform, readBuffer } from '../buffers.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import type { Verdict, Workload } from './workload.ts';

/** Lanes of the barrier probe's one workgroup. */
const lanes = 64;

/** Dispatches that depend on each other: the unit is one of them. */
export class DispatchKernel implements Workload {
  readonly #queue: GpuQueue;
  readonly #pipeline: GPUComputePipeline;
  readonly #counter: GPUBuffer;
  readonly #bindings: GPUBindGroup;

  private constructor(queue: GpuQueue, pipeline: GPUComputePipeline, counter: GPUBuffer) {
    this.#queue = queue;
    this.#pipeline = pipeline;
    this.#counter = counter;
    this.#bindings = bind(queue, pipeline, [counter]);
  }

  static async create(queue: GpuQueue): Promise<DispatchKernel> {
    const pipeline = await createComputePipeline(queue, 'dispatch', dispatchShader);
    return new DispatchKernel(queue, pipeline, await createBuffer(queue, storage(4)));
  }

  record(amount: number): TimedPass['record'] {
    return (pass) => {
      pass.setPipeline(this.#pipeline);
      pass.setBindGroup(0, this.#bindings);
      for (let dispatch = 0; dispatch < amount; dispatch++) pass.dispatchWorkgroups(1);
    };
  }

  clear(): void {
    this.#queue.device.queue.writeBuffer(this.#counter, 0, Uint32Array.of(0));
  }

  async check(done: readonly Runs[]): Promise<Verdict> {
    const [dispatches = 0] = new Uint32Array(await readBuffer(this.#queue, this.#counter));
    return verdict(dispatches === total(done), `${dispatches} of ${total(done)} dispatches ran`);
  }

  destroy(): void {
    this.#counter.destroy();
  }
}

/** A workgroup whose lanes pass values on: the unit is a trip with two barriers. */
export class BarrierKernel implements Workload {
  readonly #queue: GpuQueue;
  readonly #pipeline: GPUComputePipeline;
  readonly #places: GPUBuffer;
  readonly #uniforms = new Map<number, GPUBuffer>();

  private constructor(queue: GpuQueue, pipeline: GPUComputePipeline, places: GPUBuffer) {
    this.#queue = queue;
    this.#pipeline = pipeline;
    this.#places = places;
  }

  static async create(queue: GpuQueue): Promise<BarrierKernel> {
    const pipeline = await createComputePipeline(queue, 'barrier', barrierShader);
    return new BarrierKernel(queue, pipeline, await createBuffer(queue, storage(4 * lanes)));
  }

  record(amount: number): TimedPass['record'] {
    const known = this.#uniforms.get(amount);
    const trips = known ?? createUniform(this.#queue, Uint32Array.of(amount).buffer);
    this.#uniforms.set(amount, trips);
    const bindings = bind(this.#queue, this.#pipeline, [trips, this.#places]);
    return (pass) => {
      pass.setPipeline(this.#pipeline);
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(1);
    };
  }

  clear(): void {
    const own = Uint32Array.from({ length: lanes }, (_, lane) => lane);
    this.#queue.device.queue.writeBuffer(this.#places, 0, own);
  }

  async check(done: readonly Runs[]): Promise<Verdict> {
    const places = new Uint32Array(await readBuffer(this.#queue, this.#places));
    const shift = total(done) % lanes;
    const isRight = places.every((value, lane) => value === (lane + shift) % lanes);
    return verdict(isRight, 'values did not go round as often as they should');
  }

  destroy(): void {
    for (const buffer of [this.#places, ...this.#uniforms.values()]) buffer.destroy();
  }
}

function total(done: readonly Runs[]): number {
  return done.reduce((sum, { amount, runs }) => sum + amount * runs, 0);
}

function verdict(isRight: boolean, reason: string): Verdict {
  return isRight ? { kind: 'right', flags: [] } : { kind: 'wrong', reason };
}

function storage(size: number): GPUBufferDescriptor {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  return { size, usage: STORAGE | COPY_SRC | COPY_DST };
}

function bind(
  queue: GpuQueue,
  pipeline: GPUComputePipeline,
  buffers: readonly GPUBuffer[],
): GPUBindGroup {
  return queue.device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
}
