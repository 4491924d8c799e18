import { controlWords } from './memory.ts';

/** Long enough that threads on their own cores meet without a system call. */
const spins = 20_000;
/** How often a sleeping thread looks whether it was cancelled. */
const waitMilliseconds = 20;

/** Where the threads of a team start and stop together; also carries the team's cancel. */
export class Barrier {
  readonly #control: Int32Array<SharedArrayBuffer> | undefined;
  readonly #threads: number;
  /** Times that this thread has finished; all threads of a team finish equally often. */
  #finished = 0;

  /** Without shared memory a thread is alone: it passes at once and is never cancelled. */
  constructor(memory: WebAssembly.Memory, threads: number) {
    const { buffer } = memory;
    this.#control = isShared(buffer) ? new Int32Array(buffer, 0, 1024) : undefined;
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

  /** Says that this thread has worked long enough. */
  finish(): void {
    this.#finished++;
    if (this.#control !== undefined) Atomics.add(this.#control, controlWords.finished, 1);
  }

  /** True once every thread has finished as often as this one: the common stop. */
  allFinished(): boolean {
    if (this.#control === undefined) return true;
    return Atomics.load(this.#control, controlWords.finished) >= this.#finished * this.#threads;
  }
}

function isShared(buffer: ArrayBufferLike): buffer is SharedArrayBuffer {
  return typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
}
