import { readBuffer } from '../../../src/gpu/buffers.ts';
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

/** A queue on the real device, which says that it has no timestamps. */
export async function openQueueWithoutTimestamps(): Promise<GpuQueue> {
  const queue = await openQueue();
  const features = new Set([...queue.device.features].filter((name) => name !== 'timestamp-query'));
  Object.defineProperty(queue.device, 'features', { value: features });
  return queue;
}

/**
 * Stamps every compute pass of a queue's device from now on that has no timestamps of its own, past
 * the app. Returns what reads them: begin and end of each pass since the last reading, nanoseconds.
 */
export function stampPasses(queue: GpuQueue): () => Promise<number[]> {
  const { device } = queue;
  const count = 4096;
  const querySet = device.createQuerySet({ type: 'timestamp', count });
  const { QUERY_RESOLVE, COPY_SRC } = GPUBufferUsage;
  const resolved = device.createBuffer({ size: 8 * count, usage: QUERY_RESOLVE | COPY_SRC });
  const createCommandEncoder = device.createCommandEncoder.bind(device);
  let next = 0;
  device.createCommandEncoder = (descriptor) => {
    const encoder = createCommandEncoder(descriptor);
    const beginComputePass = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = (own) => {
      if (own?.timestampWrites !== undefined || next + 2 > count) return beginComputePass(own);
      const timestampWrites = {
        querySet,
        beginningOfPassWriteIndex: next++,
        endOfPassWriteIndex: next++,
      };
      return beginComputePass({ ...own, timestampWrites });
    };
    return encoder;
  };
  return async () => {
    const used = next;
    next = 0;
    if (used === 0) return [];
    const encoder = createCommandEncoder();
    encoder.resolveQuerySet(querySet, 0, used, resolved, 0);
    queue.submit(encoder.finish());
    const raw = new BigInt64Array(await readBuffer(queue, resolved, 0, 8 * used));
    return Array.from(raw, (value) => Number(value - (raw[0] ?? 0n)));
  };
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
