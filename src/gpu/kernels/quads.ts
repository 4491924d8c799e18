import source from '../../../shaders/nn/quads.wgsl?raw';
import { createBuffer, createComputePipeline, readBuffer } from '../buffers.ts';
import type { GpuQueue } from '../queue.ts';

const workgroups = 4;
const lanes = 64 * workgroups;

/**
 * Whether a device has subgroups whose quads are four consecutive lanes of a workgroup. WGSL leaves
 * open which lanes make a quad, so it is tried.
 */
export async function hasConsecutiveQuads(queue: GpuQueue): Promise<boolean> {
  const { device } = queue;
  if (!device.features.has('subgroups')) return false;
  const code = `enable subgroups;\n${source}`;
  const pipeline = await createComputePipeline(queue, 'quads', code);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const buffer = await createBuffer(queue, { label: 'quads', size: 4 * lanes, usage });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer } }],
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(workgroups);
  pass.end();
  queue.submit(encoder.finish());
  const consecutive = new Uint32Array(await readBuffer(queue, buffer));
  buffer.destroy();
  return consecutive.every((one) => one === 1);
}
