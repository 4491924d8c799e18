import { createBuffer } from '../buffers.ts';
import { GpuFault } from '../faults.ts';
import type { GpuContext } from '../context.ts';
import { fill } from './streamBuffers.ts';

const leastSize = 2 ** 20;

/**
 * A storage buffer of pattern words: the largest power of two of bytes that is at most `wanted`, can
 * be bound and has room in the device's memory.
 */
export async function createPatternBuffer(context: GpuContext, wanted: number): Promise<GPUBuffer> {
  const { queue, environment } = context;
  const { maxStorageBufferBindingSize = 0, maxBufferSize = 0 } = environment.limits;
  const most = Math.min(wanted, maxStorageBufferBindingSize, maxBufferSize);
  for (let size = 2 ** Math.floor(Math.log2(most)); ; size /= 2) {
    const buffer = await allocate(context, size);
    if (buffer === undefined) continue;
    await fill(queue, buffer, 0);
    return buffer;
  }
}

/** Undefined where there is no memory and a smaller one may be tried. */
async function allocate({ queue }: GpuContext, size: number): Promise<GPUBuffer | undefined> {
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  try {
    return await createBuffer(queue, { label: 'pattern', size, usage: STORAGE | COPY_SRC });
  } catch (error) {
    const isFull = error instanceof GpuFault && error.fault.kind === 'out-of-memory';
    if (isFull && size > leastSize) return undefined;
    throw error;
  }
}
