import { controlWords } from '../memory.ts';

/**
 * Hands out the tiles of phase after phase to the threads of a replica. Two counts take turns: one is
 * set back while the other is in use.
 */
export class TileCounter {
  readonly #words: Int32Array;
  #word: number = controlWords.evenTiles;
  #otherWord: number = controlWords.oddTiles;

  /** The control page lies at `offset` bytes of the memory. */
  constructor(memory: WebAssembly.Memory, offset: number) {
    this.#words = new Int32Array(memory.buffer, offset, 1024);
  }

  /** The next tile of this phase that no thread has claimed; past the last one when all are. */
  claim(): number {
    return Atomics.add(this.#words, this.#word, 1);
  }

  /** Goes on to the next phase; called by every thread once all have claimed their last tile. */
  advance(): void {
    const done = this.#word;
    this.#word = this.#otherWord;
    this.#otherWord = done;
    // Every thread may do this: nobody claims from it before all have met again.
    Atomics.store(this.#words, done, 0);
  }
}
