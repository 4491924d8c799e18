import { chaseLength } from '../../core/probes/pointerChase.ts';
import type { Kernels } from '../kernels.ts';
import type { ThreadState } from '../memory.ts';
import type { Runner } from './runner.ts';

/** A thread's pointer chase: one cycle at a time over the front of its share. */
export class PointerChase {
  readonly #kernels: Kernels;
  readonly #state: ThreadState;
  readonly #base: number;
  #linkedSize = 0;

  constructor(kernels: Kernels, state: ThreadState, base: number) {
    this.#kernels = kernels;
    this.#state = state;
    this.#base = base;
  }

  /** Chases over `size` bytes, linking them first unless they are; repetitions are loads. */
  runner(size: number): Runner {
    const { streams, memory } = this.#kernels;
    this.#link(size);
    const start = this.#base;
    let at = start;
    return {
      unit: 64,
      reset: () => {
        at = start;
      },
      run: (loads) => {
        at = streams.chase(at, loads);
      },
      check: (loads) =>
        at === follow(memory, start, loads % chaseLength(size))
          ? { kind: 'right' }
          : { kind: 'wrong', reason: 'the pointer chase ended at another line' },
    };
  }

  /** Writes every line, so no page is left that nobody wrote. */
  #link(size: number): void {
    if (this.#linkedSize === size) return;
    const { generator, scratch } = this.#state;
    this.#kernels.streams.linkChase(this.#base, size, generator, scratch);
    this.#linkedSize = size;
  }
}

/** Where so many loads lead from `start`. */
function follow(memory: WebAssembly.Memory, start: number, loads: number): number {
  const words = new Int32Array(memory.buffer);
  let at = start;
  for (let load = 0; load < loads; load++) at = words[at / 4]!;
  return at;
}
