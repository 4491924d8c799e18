import fillShader from '../../../shaders/probe/fill.wgsl?raw';
import { createBuffer, createComputePipeline, createUniform } from '../buffers.ts';
import { GpuFault } from '../faults.ts';
import { submitPasses, type TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';

/** Bytes that one dispatch fills, and how long that takes on a slow device. */
const sliceSize = 4 * 2 ** 20;
const sliceSeconds = 0.02;
const fillWorkgroups = 1024;

/** The arrays that bandwidth probes read and write, as large as the device allows. */
export interface StreamBuffers {
  readonly source: GPUBuffer;
  readonly destination: GPUBuffer;
  /** Bytes of each. */
  readonly size: number;
  destroy(): void;
}

/**
 * Allocates source and destination of up to `wanted` bytes each, halved for as long as the device
 * has no memory for them, and fills every word of the source.
 */
export async function createStreamBuffers(queue: GpuQueue, wanted: number): Promise<StreamBuffers> {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const usage = STORAGE | COPY_SRC | COPY_DST;
  for (let size = wanted; ; size /= 2) {
    const buffers: GPUBuffer[] = [];
    try {
      buffers.push(await createBuffer(queue, { label: 'stream source', size, usage }));
      buffers.push(await createBuffer(queue, { label: 'stream destination', size, usage }));
    } catch (error) {
      for (const buffer of buffers) buffer.destroy();
      const isFull = error instanceof GpuFault && error.fault.kind === 'out-of-memory';
      if (!isFull || size <= sliceSize) throw error;
      continue;
    }
    const [source, destination] = buffers as [GPUBuffer, GPUBuffer];
    await fill(queue, source);
    return {
      source,
      destination,
      size,
      destroy: () => {
        source.destroy();
        destination.destroy();
      },
    };
  }
}

async function fill(queue: GpuQueue, buffer: GPUBuffer): Promise<void> {
  const pipeline = await createComputePipeline(queue, 'fill', fillShader);
  const words = buffer.size / 4;
  const sliceWords = sliceSize / 4;
  const passes: TimedPass[] = [];
  const uniforms: GPUBuffer[] = [];
  for (let first = 0; first < words; first += sliceWords) {
    const range = Uint32Array.of(first, Math.min(first + sliceWords, words));
    const uniform = await createUniform(queue, range.buffer);
    uniforms.push(uniform);
    const bindings = queue.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [buffer, uniform].map((bound, binding) => ({
        binding,
        resource: { buffer: bound },
      })),
    });
    passes.push({
      expectedSeconds: sliceSeconds,
      record: (pass) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindings);
        pass.dispatchWorkgroups(fillWorkgroups);
      },
    });
  }
  await submitPasses(queue, passes);
  for (const uniform of uniforms) uniform.destroy();
}
