import type { GpuQueue } from './queue.ts';

/** Creates a buffer, or throws a `GpuFault` (`out-of-memory` or `validation`). */
export async function createBuffer(
  queue: GpuQueue,
  descriptor: GPUBufferDescriptor,
): Promise<GPUBuffer> {
  const { device } = queue;
  device.pushErrorScope('out-of-memory');
  device.pushErrorScope('validation');
  const buffer = device.createBuffer(descriptor);
  const errors = [device.popErrorScope(), device.popErrorScope()] as const;
  const [invalid, exhausted] = await queue.settled(Promise.all(errors));
  if (exhausted) return queue.fail('out-of-memory', exhausted.message);
  if (invalid) return queue.fail('validation', invalid.message);
  return buffer;
}

/**
 * A uniform buffer that holds `content` (a multiple of 4 bytes). It is too small to run out of memory
 * for, so nothing waits for an error scope.
 */
export function createUniform({ device }: GpuQueue, content: ArrayBuffer): GPUBuffer {
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: content.byteLength, usage });
  device.queue.writeBuffer(buffer, 0, content);
  return buffer;
}

/** Copies `size` bytes at `offset` of a COPY_SRC buffer to the page; both multiples of 4. */
export async function readBuffer(
  queue: GpuQueue,
  source: GPUBuffer,
  offset = 0,
  size = source.size - offset,
): Promise<ArrayBuffer> {
  return readRanges(queue, [{ source, offset, size }]);
}

/** Copies ranges of COPY_SRC buffers to the page, one after the other; multiples of 4. */
export async function readRanges(
  queue: GpuQueue,
  ranges: readonly {
    readonly source: GPUBuffer;
    readonly offset: number;
    readonly size: number;
  }[],
): Promise<ArrayBuffer> {
  const total = ranges.reduce((sum, { size }) => sum + size, 0);
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
  const staging = await createBuffer(queue, { size: total, usage });
  const encoder = queue.device.createCommandEncoder();
  let at = 0;
  for (const { source, offset, size } of ranges) {
    encoder.copyBufferToBuffer(source, offset, staging, at, size);
    at += size;
  }
  queue.submit(encoder.finish());
  const copy = await queue.readMappable(staging, total);
  staging.destroy();
  return copy;
}

/** Compiles without stalling the queue. A shader that the browser refuses throws `validation`. */
export async function createComputePipeline(
  queue: GpuQueue,
  label: string,
  code: string,
): Promise<GPUComputePipeline> {
  const { device } = queue;
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ label, code });
  const invalid = await queue.settled(device.popErrorScope());
  if (invalid) {
    const { messages } = await queue.settled(module.getCompilationInfo());
    const lines = messages.map(({ lineNum, message }) => `line ${lineNum}: ${message}`);
    return queue.fail('validation', `${label}: ${[invalid.message, ...lines].join('; ')}`);
  }
  try {
    const compute = { module };
    return await queue.settled(
      device.createComputePipelineAsync({ label, layout: 'auto', compute }),
    );
  } catch (error) {
    if (!(error instanceof GPUPipelineError)) throw error;
    return queue.fail('validation', `${label}: ${error.message}`);
  }
}
