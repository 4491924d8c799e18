import type { Kernels } from '../kernels.ts';
import type { ThreadState } from '../memory.ts';

/** Arrays of the read stream are multiples of this. */
const granule = 128;

/**
 * A thread's part of the data. It is written front to back, by this thread first, before it is
 * measured; the sums of what was written are kept for every size that was asked for.
 */
export class Share {
  readonly base: number;
  readonly size: number;
  readonly #kernels: Kernels;
  readonly #state: ThreadState;
  readonly #sums = new Map<number, readonly number[]>();
  #touchedSize = 0;

  constructor(
    kernels: Kernels,
    state: ThreadState,
    { base, size }: { base: number; size: number },
    index: number,
  ) {
    this.base = base;
    this.size = size;
    this.#kernels = kernels;
    this.#state = state;
    const generator = new Int32Array(kernels.memory.buffer, state.generator, 4);
    for (let lane = 0; lane < 4; lane++)
      generator[lane] = Math.imul(index * 4 + lane + 1, 0x9e3779b1);
  }

  get touchedSize(): number {
    return this.#touchedSize;
  }

  /** Writes random data up to `size` bytes, as far as that is not done yet. */
  touch(size: number): void {
    const end = Math.min(Math.floor(size / granule) * granule, this.size);
    if (end > this.#touchedSize) {
      const from = this.base + this.#touchedSize;
      const { generator, filled } = this.#state;
      this.#kernels.streams.randomFill(from, end - this.#touchedSize, generator, filled);
      this.#touchedSize = end;
      this.#sums.set(end, [...new Int32Array(this.#kernels.memory.buffer, filled, 4)]);
    }
  }

  /** Sums modulo 2^32, lane by lane, of the first `size` bytes as first written. */
  sumsOf(size: number): readonly number[] | undefined {
    return this.#sums.get(size);
  }
}
