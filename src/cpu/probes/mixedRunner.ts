import {
  mixedFunctionName,
  mixedRoundingOf,
  mixedTileSize,
  readMixedSums,
  writeMixedState,
  type MixedArithmetic,
} from '../../core/probes/cpuMixed.ts';
import type { MixedShape } from '../../core/probes/mixed.ts';
import type { Kernels } from '../kernels.ts';
import type { ThreadState } from '../memory.ts';
import type { Share } from './share.ts';
import type { Runner } from './runner.ts';

/**
 * A thread's share filled with one tile of random words over and over, for the mixed kernel. No line
 * can be compressed, no page is one that nobody wrote, and every tile adds the same to the sums.
 */
export class MixedData {
  readonly #kernels: Kernels;
  readonly #state: ThreadState;
  readonly #share: Share;
  #filledSize = 0;
  /** Where the next run begins: runs go round the data, so that it comes from beyond every cache. */
  #at = 0;

  constructor(kernels: Kernels, state: ThreadState, share: Share) {
    this.#kernels = kernels;
    this.#state = state;
    this.#share = share;
  }

  /** Works through the first `size` bytes, whole tiles; repetitions are tiles. */
  runner(arithmetic: MixedArithmetic, shape: MixedShape, size: number): Runner {
    const { memory } = this.#kernels;
    const { base } = this.#share;
    const code = this.#kernels.mixed(mixedFunctionName(arithmetic, shape.columns));
    const { mixed: state } = this.#state;
    const view = new DataView(memory.buffer);
    this.#fill(size);
    return {
      unit: 1,
      reset: () => writeMixedState(view, state),
      run: (tiles) => {
        for (let left = tiles * mixedTileSize; left > 0;) {
          if (this.#at >= size) this.#at = 0;
          const part = Math.min(left, size - this.#at);
          code(base + this.#at, part, shape.steps, state);
          this.#at += part;
          left -= part;
        }
      },
      check: (tiles) => {
        const words = new Int32Array(memory.buffer, base, mixedTileSize / 4).slice();
        const sums = readMixedSums(view, state);
        const rounding = mixedRoundingOf(words, shape, arithmetic, tiles, sums);
        return rounding === undefined
          ? { kind: 'wrong', reason: 'the mixed kernel left other sums than its arithmetic gives' }
          : { kind: 'right', rounding };
      },
    };
  }

  /** The thread that works on a page is the first to write it. */
  #fill(size: number): void {
    if (this.#filledSize >= size) return;
    this.#share.touch(mixedTileSize);
    const bytes = new Uint8Array(this.#kernels.memory.buffer, this.#share.base, size);
    for (let at = Math.max(mixedTileSize, this.#filledSize); at < size; at += mixedTileSize)
      bytes.copyWithin(at, 0, mixedTileSize);
    this.#filledSize = size;
  }
}
