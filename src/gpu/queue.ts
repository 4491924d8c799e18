import { JobGate } from '../core/run/gate.ts';
import { GpuFault, gpuFault } from './faults.ts';
import type { DeviceWatch } from './watch.ts';

/**
 * A wait submits nothing every few milliseconds, so that the browser looks whether the work is
 * done. The pause varies, or wall times would all be rounded up to the same multiples of it.
 */
const pokeMilliseconds = () => 2 + 4 * Math.random();
/** Where the end is foreseen, from just before it: a look takes a core the time of a look. */
const foreseenShare = 0.95;
const foreseenPokeMilliseconds = () => 0.2 + 0.6 * Math.random();
/** Quick looks of a wait at the most: work that takes longer than foreseen is not to be flooded by them. */
const mostForeseenPokes = 20;

/**
 * The device's queue, with waits that end when the work is done, the device fails or the job is
 * cancelled, whichever comes first. Failures throw a `GpuFault`, a cancel throws `signal.reason`.
 */
export class GpuQueue {
  readonly device: GPUDevice;
  readonly signal: AbortSignal;
  /** To be passed before each measurement. */
  readonly gate: JobGate;
  readonly #watch: DeviceWatch;

  constructor(device: GPUDevice, watch: DeviceWatch, signal: AbortSignal, gate = new JobGate()) {
    this.device = device;
    this.signal = signal;
    this.gate = gate;
    this.#watch = watch;
  }

  /** Submits, unless the job was cancelled or the device has failed. */
  submit(...commands: GPUCommandBuffer[]): void {
    this.signal.throwIfAborted();
    this.#watch.throwIfFailed();
    this.device.queue.submit(commands);
  }

  /** A promise that everything submitted so far is done, to be awaited by `reached`. */
  mark(): Promise<void> {
    const done = this.device.queue.onSubmittedWorkDone();
    // One that is never awaited must not count as unhandled.
    done.catch(() => {});
    return done;
  }

  /** Waits for a mark. */
  async reached(mark: Promise<void>): Promise<void> {
    await this.#poked(mark);
  }

  /**
   * Waits until everything submitted so far is done. Where that should take `expectedSeconds` yet, the
   * wait disturbs it less and ends sooner after it.
   */
  async done(expectedSeconds?: number): Promise<void> {
    await this.#poked(this.mark(), expectedSeconds);
  }

  /** Waits until a buffer is mapped for reading, copies `size` bytes out and unmaps it. */
  async readMappable(buffer: GPUBuffer, size: number): Promise<ArrayBuffer> {
    await this.#poked(buffer.mapAsync(GPUMapMode.READ, 0, size));
    const copy = buffer.getMappedRange(0, size).slice(0);
    buffer.unmap();
    return copy;
  }

  /** Waits for a promise that hangs on no submitted work, such as an error scope's. */
  async settled<T>(work: Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const finished = new AbortController();
    const cancelled = new Promise<never>((_, reject) => {
      const cancel = () => reject(this.signal.reason as Error);
      this.signal.addEventListener('abort', cancel, { signal: finished.signal });
    });
    try {
      return await Promise.race([this.#watch.guard(work), cancelled]);
    } finally {
      finished.abort();
    }
  }

  /** Throws a fault that a scope caught, or the loss of the device that it came of. */
  async fail(kind: 'out-of-memory' | 'validation', detail: string): Promise<never> {
    throw await this.#watch.causeOf(new GpuFault(gpuFault(kind, detail)));
  }

  /** Firefox looks for finished work every 100 ms, and at every submit: so submit nothing. */
  async #poked<T>(work: Promise<T>, expectedSeconds?: number): Promise<T> {
    let timeout: ReturnType<typeof setTimeout> | undefined;
    let foreseenPokes = expectedSeconds === undefined ? 0 : mostForeseenPokes;
    const poke = (milliseconds: number) => {
      timeout = setTimeout(() => {
        this.device.queue.submit([]);
        foreseenPokes -= 1;
        poke(foreseenPokes > 0 ? foreseenPokeMilliseconds() : pokeMilliseconds());
      }, milliseconds);
    };
    poke(
      expectedSeconds === undefined ? pokeMilliseconds() : 1000 * foreseenShare * expectedSeconds,
    );
    try {
      return await this.settled(work);
    } finally {
      clearTimeout(timeout);
    }
  }
}
