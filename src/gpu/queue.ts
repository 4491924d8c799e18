import { JobGate } from '../core/run/gate.ts';
import { GpuFault, gpuFault } from './faults.ts';
import type { DeviceWatch } from './watch.ts';

/**
 * A wait submits nothing every few milliseconds, so that the browser looks whether the work is
 * done. The pause varies, or wall times would all be rounded up to the same multiples of it.
 */
const pokeMilliseconds = () => 2 + 4 * Math.random();

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

  /** Waits until everything submitted so far is done. */
  async done(): Promise<void> {
    await this.#poked(this.device.queue.onSubmittedWorkDone());
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
  async #poked<T>(work: Promise<T>): Promise<T> {
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const poke = () => {
      timeout = setTimeout(() => {
        this.device.queue.submit([]);
        poke();
      }, pokeMilliseconds());
    };
    poke();
    try {
      return await this.settled(work);
    } finally {
      clearTimeout(timeout);
    }
  }
}
