import { GpuFault, gpuFault, type Fault } from './faults.ts';

/** A device that is lost fails whatever is pending first, and tells that it is lost this much later. */
const lossMilliseconds = 250;

/** Watches one device for its loss and for errors that no scope caught. The first one stays. */
export class DeviceWatch {
  #fault: Fault | undefined;
  readonly #failed: Promise<Fault>;

  constructor(device: GPUDevice) {
    const lost = device.lost.then(({ reason, message }) =>
      gpuFault('device-lost', `${reason}: ${message || 'no message'}`),
    );
    this.#failed = new Promise((resolve) => {
      const settle = (fault: Fault) => {
        this.#fault ??= fault;
        resolve(this.#fault);
      };
      void lost.then(settle);
      device.addEventListener('uncapturederror', ({ error }) => {
        void within(lossMilliseconds, lost).then((loss) => settle(loss ?? uncaptured(error)));
      });
    });
  }

  /** Throws a `GpuFault` once the device has failed. */
  throwIfFailed(): void {
    if (this.#fault !== undefined) throw new GpuFault(this.#fault);
  }

  /** Waits for `work`, or throws the device's fault: promises of a lost device may stay open. */
  async guard<T>(work: Promise<T>): Promise<T> {
    const failure = this.#failed.then((fault) => {
      throw new GpuFault(fault);
    });
    try {
      return await Promise.race([work, failure]);
    } catch (error) {
      throw await this.causeOf(error);
    }
  }

  /** The device's fault, if it comes within so many milliseconds. */
  async faultWithin(milliseconds: number): Promise<Fault | undefined> {
    return within(milliseconds, this.#failed);
  }

  /** The fault that lies behind an error, where the error is but the symptom of a loss. */
  async causeOf(error: unknown): Promise<unknown> {
    if (error instanceof GpuFault && error.fault.kind === 'device-lost') return error;
    const fault = await this.faultWithin(lossMilliseconds);
    return fault === undefined ? error : new GpuFault(fault);
  }
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(resolve, milliseconds);
  });
  return Promise.race([promise, timeout]);
}

function uncaptured(error: GPUError): Fault {
  const kind = error instanceof GPUOutOfMemoryError ? 'out-of-memory' : 'validation';
  return gpuFault(kind, error.message);
}
