import { openDevice } from '../../../src/gpu/device.ts';
import { GpuQueue } from '../../../src/gpu/queue.ts';

/** What a simulated fault does to the timestamps of a real device; nanoseconds, in place. */
export type Spoil = (timestamps: BigInt64Array) => void;

export const quantised =
  (step: bigint): Spoil =>
  (timestamps) => {
    for (const [index, value] of timestamps.entries()) timestamps[index] = value - (value % step);
  };

export const zero: Spoil = (timestamps) => {
  timestamps.fill(0n);
};

export const negative: Spoil = (timestamps) => {
  for (const [index, value] of timestamps.entries()) timestamps[index] = -value;
};

/** A clock that counts too fast or too slowly. */
export const scaled =
  (percent: bigint): Spoil =>
  (timestamps) => {
    for (const [index, value] of timestamps.entries()) timestamps[index] = (value * percent) / 100n;
  };

/** An open queue on the real device whose timestamps are spoilt on their way to the page. */
export async function openQueue(spoil?: Spoil, signal?: AbortSignal): Promise<GpuQueue> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  if (spoil) spoilTimestamps(opened.device, spoil);
  return new GpuQueue(opened.device, opened.watch, signal ?? new AbortController().signal);
}

/** A queue on the real device opened without timestamps. */
export async function openQueueWithoutTimestamps(): Promise<GpuQueue> {
  const gpu = {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await navigator.gpu.requestAdapter(options);
      if (adapter === null) return null;
      const features = new Set([...adapter.features].filter((name) => name !== 'timestamp-query'));
      Object.defineProperty(adapter, 'features', { value: features });
      return adapter;
    },
  } as unknown as GPU;
  const opened = await openDevice(gpu);
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  return new GpuQueue(opened.device, opened.watch, new AbortController().signal);
}

/** Overrides methods on the device object itself, so that the browser still takes it as its own. */
function spoilTimestamps(device: GPUDevice, spoil: Spoil): void {
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    if (descriptor.label !== 'timestamps') return buffer;
    const getMappedRange = buffer.getMappedRange.bind(buffer);
    buffer.getMappedRange = (offset, size) => {
      const copy = getMappedRange(offset, size).slice(0);
      spoil(new BigInt64Array(copy));
      return copy;
    };
    return buffer;
  };
}
