import { sampledLanes, type Runs } from '../../core/probes/chainCheck.ts';
import { createBuffer, createUniform, readRanges } from '../buffers.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import type { Verdict, Workload } from './workload.ts';

/** Words that are emulated, besides the first and the last. */
const checkedWords = 14;

/** A probe whose every dispatch adds to words of a result what it did. */
export interface LaneSumProbe {
  readonly pipeline: GPUComputePipeline;
  readonly workgroups: number;
  /** Words of the result, binding 1. */
  readonly words: number;
  /**
   * Words behind them that are never cleared, the first of which counts units: dispatches go on where
   * the last one ended, so that no cache holds what a measurement before them has loaded.
   */
  readonly kept?: number;
  /** The uniform of a dispatch of so many units, binding 0. */
  readonly parameters: (amount: number) => Uint32Array<ArrayBuffer>;
  /** Buffers of the bindings from 2 on; they are not this kernel's to destroy. */
  readonly data: readonly GPUBufferBinding[];
  /**
   * The values that a word may have after these dispatches, one for each way to round. `begun` units
   * were counted before them.
   */
  readonly expected: (word: number, done: readonly Runs[], begun: number) => readonly number[];
  /** Where twice the work need not take twice the time within 5 %; see `Workload`. */
  readonly linearWithin?: number;
  /** What dispatches after the first `begun` units leave in another buffer. */
  readonly stored?: (begun: number) => StoredWords;
}

/** A sample of words that a probe has stored. */
interface StoredWords {
  readonly buffer: GPUBuffer;
  readonly words: readonly {
    readonly index: number;
    /** The values that it may have, one for each way to round. */
    readonly expected: readonly number[];
  }[];
}

/** Owns the result of such a probe and compares a sample of its words with their emulation. */
export class LaneSumKernel implements Workload {
  readonly linearWithin: number | undefined;
  readonly #queue: GpuQueue;
  readonly #probe: LaneSumProbe;
  readonly #sums: GPUBuffer;
  /** The count of units when the result was cleared. */
  readonly #begun: GPUBuffer;
  readonly #uniforms = new Map<number, GPUBuffer>();

  private constructor(queue: GpuQueue, probe: LaneSumProbe, sums: GPUBuffer, begun: GPUBuffer) {
    this.linearWithin = probe.linearWithin;
    this.#queue = queue;
    this.#probe = probe;
    this.#sums = sums;
    this.#begun = begun;
  }

  static async create(queue: GpuQueue, probe: LaneSumProbe): Promise<LaneSumKernel> {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const usage = STORAGE | COPY_SRC | COPY_DST;
    const size = 4 * (probe.words + (probe.kept ?? 0));
    const sums = await createBuffer(queue, { size, usage });
    return new LaneSumKernel(queue, probe, sums, await createBuffer(queue, { size: 4, usage }));
  }

  record(amount: number): TimedPass['record'] {
    const { pipeline, data, workgroups } = this.#probe;
    const own = [this.#uniform(amount), this.#sums].map((buffer) => ({ buffer }));
    const bindings = this.#queue.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [...own, ...data].map((resource, binding) => ({ binding, resource })),
    });
    return (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(workgroups);
    };
  }

  clear(): void {
    const size = 4 * this.#probe.words;
    const encoder = this.#queue.device.createCommandEncoder();
    encoder.clearBuffer(this.#sums, 0, size);
    if (this.#probe.kept !== undefined)
      encoder.copyBufferToBuffer(this.#sums, size, this.#begun, 0, 4);
    this.#queue.submit(encoder.finish());
  }

  async check(done: readonly Runs[]): Promise<Verdict> {
    const { words, kept, expected } = this.#probe;
    const ranges = [this.#begun, this.#sums].map((source) => ({
      source,
      offset: 0,
      size: source.size,
    }));
    const [begun = 0, ...found] = new Uint32Array(await readRanges(this.#queue, ranges));
    if (kept !== undefined && found[words] !== (begun + total(done)) >>> 0)
      return { kind: 'wrong', reason: 'not all of these passes ran' };
    const wrong = sampledLanes(words, checkedWords).find(
      (word) => !expected(word, merged(done), begun).includes(found[word]!),
    );
    if (wrong !== undefined)
      return { kind: 'wrong', reason: `word ${wrong} of the result is not what these passes make` };
    return (await this.#isStored(begun))
      ? { kind: 'right', flags: [] }
      : { kind: 'wrong', reason: 'what is stored is not the result of what was loaded' };
  }

  async #isStored(begun: number): Promise<boolean> {
    const stored = this.#probe.stored?.(begun);
    if (stored === undefined) return true;
    const { buffer, words } = stored;
    const ranges = words.map(({ index }) => ({ source: buffer, offset: 4 * index, size: 4 }));
    const found = new Uint32Array(await readRanges(this.#queue, ranges));
    return words.every(({ expected }, at) => expected.includes(found[at]!));
  }

  destroy(): void {
    for (const buffer of [this.#sums, this.#begun, ...this.#uniforms.values()]) buffer.destroy();
  }

  #uniform(amount: number): GPUBuffer {
    const known = this.#uniforms.get(amount);
    if (known !== undefined) return known;
    const made = createUniform(this.#queue, this.#probe.parameters(amount).buffer);
    this.#uniforms.set(amount, made);
    return made;
  }
}

/** Units of all dispatches. */
export function total(done: readonly Runs[]): number {
  return done.reduce((sum, { amount, runs }) => sum + amount * runs, 0);
}

/** Dispatches of one amount together, so that each amount is emulated once. */
function merged(done: readonly Runs[]): Runs[] {
  const byAmount = new Map<number, number>();
  for (const { amount, runs } of done) byAmount.set(amount, (byAmount.get(amount) ?? 0) + runs);
  return [...byAmount].map(([amount, runs]) => ({ amount, runs }));
}
