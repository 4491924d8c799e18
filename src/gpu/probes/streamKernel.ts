import { sampledLanes, type Runs } from '../../core/probes/chainCheck.ts';
import { streamWord } from '../../core/probes/streamData.ts';
import { laneStreamSum } from '../../core/probes/streamSums.ts';
import {
  arraySizeOf,
  type StreamPattern,
  type StreamShape,
  type StreamVariant,
} from '../../core/probes/streamVariant.ts';
import { createBuffer, createUniform, readRanges } from '../buffers.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import type { StreamBuffers } from './streamBuffers.ts';
import type { Verdict, Workload } from './workload.ts';

/** Emulating a lane takes a millisecond or so. */
const checkedLanes = 6;
/** Bytes of the destination that are looked at, in each of so many places. */
const windowSize = 4096;
const windows = 4;

/** The arrays of each pattern in the order of its bindings. */
const bound = {
  read: ['source'],
  write: ['destination'],
  copy: ['source', 'destination'],
  triad: ['source', 'addend', 'destination'],
} as const satisfies Record<StreamPattern, readonly ('source' | 'addend' | 'destination')[]>;

/**
 * A bandwidth probe over one working set. Its unit of work is one pass over all of it. Every lane
 * sums what it moved, and windows of the destination are compared with what must be there.
 */
export class StreamKernel implements Workload {
  /**
   * Near a cache's capacity a run depends on what the run before left there: single passes took from
   * 1.25 to 3.2 times less than double ones. Folded passes would take as long as one.
   */
  readonly linearWithin = 1.6;
  readonly #queue: GpuQueue;
  readonly #variant: StreamVariant;
  readonly #shape: StreamShape;
  readonly #buffers: StreamBuffers;
  readonly #pipeline: GPUComputePipeline;
  readonly #sums: GPUBuffer;
  readonly #uniforms = new Map<number, GPUBuffer>();

  private constructor(
    queue: GpuQueue,
    variant: StreamVariant,
    shape: StreamShape,
    buffers: StreamBuffers,
    pipeline: GPUComputePipeline,
    sums: GPUBuffer,
  ) {
    this.#queue = queue;
    this.#variant = variant;
    this.#shape = shape;
    this.#buffers = buffers;
    this.#pipeline = pipeline;
    this.#sums = sums;
  }

  /** `pipeline` must be the variant's, and the shape must fit the buffers. */
  static async create(
    queue: GpuQueue,
    variant: StreamVariant,
    shape: StreamShape,
    buffers: StreamBuffers,
    pipeline: GPUComputePipeline,
  ): Promise<StreamKernel> {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const sums = await createBuffer(queue, {
      size: 4 * shape.workgroups * variant.workgroupSize,
      usage: STORAGE | COPY_SRC | COPY_DST,
    });
    return new StreamKernel(queue, variant, shape, buffers, pipeline, sums);
  }

  record(passes: number): TimedPass['record'] {
    const uniform = this.#uniforms.get(passes) ?? this.#createUniform(passes);
    const size = this.#arraySize;
    const resources = [
      { buffer: uniform },
      { buffer: this.#sums },
      ...bound[this.#variant.pattern].map((name) => ({ buffer: this.#buffers[name], size })),
    ];
    const bindings = this.#queue.device.createBindGroup({
      layout: this.#pipeline.getBindGroupLayout(0),
      entries: resources.map((resource, binding) => ({ binding, resource })),
    });
    return (pass) => {
      pass.setPipeline(this.#pipeline);
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(this.#shape.workgroups);
    };
  }

  clear(): void {
    const encoder = this.#queue.device.createCommandEncoder();
    encoder.clearBuffer(this.#sums);
    for (const { offset, size } of this.#windows())
      encoder.clearBuffer(this.#buffers.destination, offset, size);
    this.#queue.submit(encoder.finish());
  }

  async check(done: readonly Runs[]): Promise<Verdict> {
    const windowsOf = this.#windows();
    const words = new Uint32Array(
      await readRanges(this.#queue, [
        { source: this.#sums, offset: 0, size: this.#sums.size },
        ...windowsOf.map((window) => ({ source: this.#buffers.destination, ...window })),
      ]),
    );
    const lanes = this.#sums.size / 4;
    for (const lane of sampledLanes(lanes, checkedLanes)) {
      if (words[lane] !== this.#expectedSum(lane, done))
        return { kind: 'wrong', reason: `lane ${lane} did not move what it should` };
    }
    let at = lanes;
    for (const { offset, size } of windowsOf) {
      for (let word = offset / 4; word < (offset + size) / 4; word++) {
        if (words[at++] !== streamWord(this.#variant, word))
          return { kind: 'wrong', reason: 'the destination does not hold what it should' };
      }
    }
    return { kind: 'right', flags: [] };
  }

  destroy(): void {
    for (const buffer of [this.#sums, ...this.#uniforms.values()]) buffer.destroy();
  }

  get #arraySize(): number {
    return arraySizeOf(this.#variant, this.#shape);
  }

  /** Places spread over the destination, its first and last bytes among them; none if only read. */
  #windows(): { readonly offset: number; readonly size: number }[] {
    if (this.#variant.pattern === 'read') return [];
    const size = Math.min(windowSize, this.#arraySize);
    return Array.from({ length: windows }, (_, index) => ({
      offset: 4 * Math.floor(((this.#arraySize - size) * index) / (windows - 1) / 4),
      size,
    }));
  }

  #expectedSum(lane: number, done: readonly Runs[]): number {
    const byAmount = new Map<number, number>();
    for (const { amount, runs } of done) byAmount.set(amount, (byAmount.get(amount) ?? 0) + runs);
    let sum = 0;
    for (const [passes, runs] of byAmount)
      sum += Math.imul(laneStreamSum(this.#variant, this.#shape, lane, passes), runs);
    return sum >>> 0;
  }

  #createUniform(passes: number): GPUBuffer {
    const { share, stride } = this.#shape;
    const parameters = Uint32Array.of(share, passes, stride, 0);
    const uniform = createUniform(this.#queue, parameters.buffer);
    this.#uniforms.set(passes, uniform);
    return uniform;
  }
}
