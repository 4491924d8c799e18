import type { GpuQueue } from '../../../src/gpu/queue.ts';

/** Bytes of all buffers of a device that live, from here on. */
export function watchMemory({ device }: Pick<GpuQueue, 'device'>): () => number {
  const live = new Map<GPUBuffer, number>();
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    live.set(buffer, descriptor.size);
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      live.delete(buffer);
      destroy();
    };
    return buffer;
  };
  return () => [...live.values()].reduce((sum, size) => sum + size, 0);
}
