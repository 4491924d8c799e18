import {
  fitsNearly,
  roundingOfSums,
  sampledLanes,
  type Runs,
} from '../../core/probes/chainCheck.ts';
import { chainCoefficients, chainNumbers, segmentPeriod } from '../../core/probes/chainNumbers.ts';
import { chainOperation } from '../../core/probes/chainOperations.ts';
import type { ChainVariant } from '../../core/probes/chainVariant.ts';
import { roundingFlags } from '../../core/probes/roundingFlags.ts';
import { flags } from '../../core/roofline/flags.ts';
import { createBuffer, createComputePipeline, createUniform, readBuffer } from '../buffers.ts';
import { submitPasses, type TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import { chainShader } from './chainShader.ts';
import type { Verdict, Workload } from './workload.ts';

/** Emulating a lane takes a millisecond or two. */
const checkedLanes = 24;

/**
 * A compiled arithmetic probe over a fixed number of lanes. Its unit of work is one segment of every
 * chain of every lane; every lane adds the bits of its results to a word of its own.
 */
export class ChainKernel implements Workload {
  readonly #queue: GpuQueue;
  readonly #variant: ChainVariant;
  readonly #lanes: number;
  readonly #pipeline: GPUComputePipeline;
  readonly #sums: GPUBuffer;
  readonly #uniforms = new Map<number, GPUBuffer>();

  private constructor(
    queue: GpuQueue,
    variant: ChainVariant,
    lanes: number,
    pipeline: GPUComputePipeline,
    sums: GPUBuffer,
  ) {
    this.#queue = queue;
    this.#variant = variant;
    this.#lanes = lanes;
    this.#pipeline = pipeline;
    this.#sums = sums;
  }

  /** `lanes`: a multiple of the workgroup size. `code` stands in where a test breaks the shader. */
  static async create(
    queue: GpuQueue,
    variant: ChainVariant,
    lanes: number,
    code = chainShader(variant),
  ): Promise<ChainKernel> {
    const pipeline = await createComputePipeline(queue, `${variant.operation} chains`, code);
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const usage = STORAGE | COPY_SRC | COPY_DST;
    const sums = await createBuffer(queue, { size: 4 * lanes, usage });
    return new ChainKernel(queue, variant, lanes, pipeline, sums);
  }

  record(segments: number): TimedPass['record'] {
    const uniform = this.#uniforms.get(segments) ?? this.#createUniform(segments);
    const bindings = this.#queue.device.createBindGroup({
      layout: this.#pipeline.getBindGroupLayout(0),
      entries: [uniform, this.#sums].map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    return (pass) => {
      pass.setPipeline(this.#pipeline);
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(this.#lanes / this.#variant.workgroupSize);
    };
  }

  clear(): void {
    const encoder = this.#queue.device.createCommandEncoder();
    encoder.clearBuffer(this.#sums);
    this.#queue.submit(encoder.finish());
  }

  async check(done: readonly Runs[]): Promise<Verdict> {
    const sums = await this.#readSums();
    const sampled = sampledLanes(this.#lanes, checkedLanes);
    const rounding = roundingOfSums(this.#variant, sums, done, sampled);
    if (rounding !== undefined) return { kind: 'right', flags: roundingFlags[rounding] };
    const prefixes = await this.#prefixSums();
    const isNear = sampled.every((lane) => {
      const ofLane = prefixes.map((prefix) => prefix[lane] ?? 0);
      return fitsNearly(this.#variant, lane, ofLane, sums[lane] ?? 0, done);
    });
    if (isNear) return { kind: 'right', flags: [flags.roundingUnknown] };
    return { kind: 'wrong', reason: 'results differ from the emulation' };
  }

  /** The sums after 1, 2 ... segments, up to where segments repeat. */
  async #prefixSums(): Promise<Uint32Array[]> {
    const prefixes: Uint32Array[] = [];
    for (let segments = 1; segments <= segmentPeriod; segments++) {
      this.clear();
      const record = this.record(segments);
      await submitPasses(this.#queue, [{ record, expectedSeconds: 0 }]);
      prefixes.push(await this.#readSums());
    }
    return prefixes;
  }

  async #readSums(): Promise<Uint32Array> {
    return new Uint32Array(await readBuffer(this.#queue, this.#sums));
  }

  destroy(): void {
    for (const buffer of [this.#sums, ...this.#uniforms.values()]) buffer.destroy();
  }

  #createUniform(segments: number): GPUBuffer {
    const { number } = chainOperation(this.#variant.operation);
    const { a, b } = chainCoefficients[number][this.#variant.form];
    const [aBits, bBits] = [a, b].map((value) => chainNumbers[number].coefficientBits(value));
    const parameters = Uint32Array.of(segments, 0, aBits ?? 0, bBits ?? 0);
    const uniform = createUniform(this.#queue, parameters.buffer);
    this.#uniforms.set(segments, uniform);
    return uniform;
  }
}
