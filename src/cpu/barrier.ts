import { controlWords } from './memory.ts';

/** Long enough that threads on their own cores meet without a system call. */
const spins = 20_000;
/** How often a sleeping thread looks whether it was cancelled. */
const waitMilliseconds = 20;

/** Where the threads of a team start and stop together; also carries the team's cancel. */
export class Barrier {
  readonly #control: Int32Array<SharedArrayBuffer> | undefined;
  readonly #threads: number;
  /** Times that this thread has started; all threads of a team start equally often. */
  #rounds = 0;

  /**
   * The control page lies at `offset` bytes. Without shared memory a thread is alone: it passes at
   * once and is never cancelled.
   */
  constructor(memory: WebAssembly.Memory, threads: number, offset = 0) {
    const { buffer } = memory;
    this.#control = isShared(buffer) ? new Int32Array(buffer, offset, 1024) : undefined;
    this.#threads = threads;
  }

  cancelled(): boolean {
    return this.#control !== undefined && Atomics.load(this.#control, controlWords.cancelled) !== 0;
  }

  /** Stops all blocks that run, and lets the threads that wait pass. */
  cancel(): void {
    if (this.#control === undefined) return;
    Atomics.store(this.#control, controlWords.cancelled, 1);
    Atomics.notify(this.#control, controlWords.phase);
  }

  /** Waits until all threads have arrived: spins, then sleeps. */
  wait(): void {
    const control = this.#control;
    if (control === undefined || this.#threads === 1) return;
    const phase = Atomics.load(control, controlWords.phase);
    if (Atomics.add(control, controlWords.arrived, 1) === this.#threads - 1) {
      Atomics.store(control, controlWords.arrived, 0);
      Atomics.add(control, controlWords.phase, 1);
      Atomics.notify(control, controlWords.phase);
      return;
    }
    for (let spin = 0; spin < spins; spin++) {
      if (Atomics.load(control, controlWords.phase) !== phase) return;
    }
    while (Atomics.load(control, controlWords.phase) === phase && !this.cancelled())
      Atomics.wait(control, controlWords.phase, phase, waitMilliseconds);
  }

  /** How often all threads have met, modulo 2^32. */
  get meetings(): number {
    return this.#control === undefined ? 0 : Atomics.load(this.#control, controlWords.phase);
  }

  /** Says that this thread is at work. */
  start(): void {
    this.#rounds++;
    this.#add(controlWords.started);
  }

  /** Says that this thread has worked long enough. */
  finish(): void {
    this.#add(controlWords.finished);
  }

  /** True once every thread is at work. */
  allStarted(): boolean {
    return this.#allHave(controlWords.started);
  }

  /** True once every thread has worked long enough: the common stop. */
  allFinished(): boolean {
    return this.#allHave(controlWords.finished);
  }

  #add(word: number): void {
    if (this.#control !== undefined) Atomics.add(this.#control, word, 1);
  }

  #allHave(word: number): boolean {
    if (this.#control === undefined) return true;
    return Atomics.load(this.#control, word) >= this.#rounds * this.#threads;
  }
}

/** Whether threads share a buffer. */
export function isShared(buffer: ArrayBufferLike): buffer is SharedArrayBuffer {
  return typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
}
