import { isShared, type Barrier } from './barrier.ts';

/** How often a sleeping thread looks whether it was cancelled. */
const waitMilliseconds = 20;
/** Between two attempts to wake a thread that is about to sleep. */
const pauseSpins = 100;

/** What a seat says. */
const awake = 0;
const asleep = 1;

/**
 * Threads of a team in a ring: each sleeps until the one before wakes it, and then wakes the next,
 * which it does not leave before it has really been asleep. A thread sleeps at its seat, a word of
 * shared memory.
 */
export class WakeRing {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #own: number;
  readonly #next: number;
  readonly #isFirst: boolean;
  readonly #barrier: Barrier;

  /** `seats`: addresses of the seats in bytes, one a thread. The memory must be shared. */
  constructor(
    { buffer }: WebAssembly.Memory,
    seats: readonly number[],
    index: number,
    barrier: Barrier,
  ) {
    if (!isShared(buffer)) throw new Error('threads wake each other in shared memory only');
    this.#words = new Int32Array<SharedArrayBuffer>(buffer);
    this.#own = seats[index]! / 4;
    this.#next = seats[(index + 1) % seats.length]! / 4;
    this.#isFirst = index === 0;
    this.#barrier = barrier;
  }

  /** This thread's part in so many laps, one wake-up for each thread. */
  run(laps: number): void {
    for (let lap = 0; lap < laps && !this.#barrier.cancelled(); lap++) {
      if (this.#isFirst) this.#wakeNext();
      this.#sleep();
      if (!this.#isFirst) this.#wakeNext();
    }
  }

  #wakeNext(): void {
    this.#spinWhile(() => Atomics.load(this.#words, this.#next) === awake);
    // It says so just before: asking all the time would keep it from falling asleep.
    while (Atomics.notify(this.#words, this.#next, 1) === 0 && !this.#barrier.cancelled()) {
      let spins = pauseSpins;
      this.#spinWhile(() => spins-- > 0);
    }
  }

  #sleep(): void {
    Atomics.store(this.#words, this.#own, asleep);
    while (
      Atomics.wait(this.#words, this.#own, asleep, waitMilliseconds) !== 'ok' &&
      !this.#barrier.cancelled()
    );
    Atomics.store(this.#words, this.#own, awake);
  }

  #spinWhile(condition: () => boolean): void {
    while (condition() && !this.#barrier.cancelled());
  }
}
