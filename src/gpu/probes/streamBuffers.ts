import fillShader from '../../../shaders/probe/fill.wgsl?raw';
import patternShader from '../../../shaders/probe/pattern.wgsl?raw';
import { addendSeed } from '../../core/probes/streamData.ts';
import { createBuffer, createComputePipeline, createUniform } from '../buffers.ts';
import { GpuFault } from '../faults.ts';
import { submitPasses, type TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';

/** Bytes that one dispatch fills, and how long that takes on a slow device. */
const sliceSize = 4 * 2 ** 20;
const sliceSeconds = 0.02;
const fillWorkgroups = 1024;

/** The arrays that bandwidth probes move, as large as the device allows. */
export interface StreamBuffers {
  readonly source: GPUBuffer;
  /** Half as large as the others: only triad reads it, which has three arrays. */
  readonly addend: GPUBuffer;
  readonly destination: GPUBuffer;
  /** Bytes of source and destination, and so of the largest working set that all patterns can have. */
  readonly size: number;
  destroy(): void;
}

/**
 * Allocates arrays of up to `wanted` bytes, halved for as long as the device has no
 * memory for them, and fills every word of the two that are read.
 */
export async function createStreamBuffers(queue: GpuQueue, wanted: number): Promise<StreamBuffers> {
  for (let size = wanted; ; size /= 2) {
    const buffers = await allocate(queue, size, size / 2 >= sliceSize);
    if (buffers === undefined) continue;
    const [source, addend, destination] = buffers;
    await fill(queue, source, 0);
    await fill(queue, addend, addendSeed);
    const destroy = () => {
      for (const buffer of buffers) buffer.destroy();
    };
    return { source, addend, destination, size, destroy };
  }
}

/** Three buffers, or none: undefined where there is no memory and smaller ones may be tried. */
async function allocate(
  queue: GpuQueue,
  arraySize: number,
  canShrink: boolean,
): Promise<[GPUBuffer, GPUBuffer, GPUBuffer] | undefined> {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const made: GPUBuffer[] = [];
  const create = async (size: number) => {
    const usage = STORAGE | COPY_SRC | COPY_DST;
    const buffer = await createBuffer(queue, { label: 'stream', size, usage });
    made.push(buffer);
    return buffer;
  };
  try {
    return [await create(arraySize), await create(arraySize / 2), await create(arraySize)];
  } catch (error) {
    for (const buffer of made) buffer.destroy();
    const isFull = error instanceof GpuFault && error.fault.kind === 'out-of-memory';
    if (isFull && canShrink) return undefined;
    throw error;
  }
}

/** Fills a buffer with pattern words from `seed` on, a slice a dispatch. */
export async function fill(queue: GpuQueue, buffer: GPUBuffer, seed: number): Promise<void> {
  const pipeline = await createComputePipeline(queue, 'fill', `${patternShader}\n${fillShader}`);
  const words = buffer.size / 4;
  const sliceWords = sliceSize / 4;
  const passes: TimedPass[] = [];
  const uniforms: GPUBuffer[] = [];
  for (let first = 0; first < words; first += sliceWords) {
    const range = Uint32Array.of(first, Math.min(first + sliceWords, words), seed, 0);
    const uniform = createUniform(queue, range.buffer);
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
