import { GpuFault, gpuFault, type Fault } from './faults.ts';

/** Watches one device for its loss and for errors that no scope caught. The first one stays. */
export class DeviceWatch {
  #fault: Fault | undefined;
  readonly #failed: Promise<Fault>;

  constructor(device: GPUDevice) {
    this.#failed = new Promise((resolve) => {
      const settle = (fault: Fault) => {
        this.#fault ??= fault;
        resolve(fault);
      };
      void device.lost.then(({ reason, message }) =>
        settle(gpuFault('device-lost', `${reason}: ${message || 'no message'}`)),
      );
      device.addEventListener('uncapturederror', ({ error }) => settle(uncaptured(error)));
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
      // A loss rejects what is pending before `lost` resolves: prefer the cause to the symptom.
      const fault = await this.faultWithin(250);
      throw fault === undefined ? error : new GpuFault(fault);
    }
  }

  /** The device's fault, if it comes within so many milliseconds: `lost` may lag. */
  async faultWithin(milliseconds: number): Promise<Fault | undefined> {
    const timeout = new Promise<undefined>((resolve) => {
      setTimeout(resolve, milliseconds);
    });
    return Promise.race([this.#failed, timeout]);
  }
}

function uncaptured(error: GPUError): Fault {
  const kind = error instanceof GPUOutOfMemoryError ? 'out-of-memory' : 'validation';
  return gpuFault(kind, error.message);
}
