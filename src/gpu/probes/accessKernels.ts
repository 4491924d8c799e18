import atomicsShader from '../../../shaders/probe/atomics.wgsl?raw';
import chaseShader from '../../../shaders/probe/chase.wgsl?raw';
import gatherShaderSource from '../../../shaders/probe/gather.wgsl?raw';
import placeRandomShader from '../../../shaders/probe/place-random.wgsl?raw';
import placeStridedShader from '../../../shaders/probe/place-strided.wgsl?raw';
import pointersShader from '../../../shaders/probe/pointers.wgsl?raw';
import { gatherStride, gatherSum, type GatherShape } from '../../core/probes/gather.ts';
import { chasePageSize, chaseSum } from '../../core/probes/pageChase.ts';
import { createComputePipeline, createUniform } from '../buffers.ts';
import { submitPasses } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import { LaneSumKernel, total } from './laneSumKernel.ts';
import { repeatLines, upTo } from './repeatLines.ts';

const workgroupSize = 64;
const places = { strided: placeStridedShader, random: placeRandomShader } as const;

export function gatherShader({ order, unroll }: GatherShape): string {
  const prelude = `const workgroupSize = ${workgroupSize}u;\nconst unroll = ${unroll}u;`;
  const body = repeatLines(gatherShaderSource, { each: upTo(unroll) });
  return [prelude, places[order], body].join('\n');
}

/** Loads of single words; the unit is `unroll` of them by every lane. */
export async function createGatherKernel(
  queue: GpuQueue,
  shape: GatherShape,
  source: GPUBuffer,
  code = gatherShader(shape),
): Promise<LaneSumKernel> {
  return LaneSumKernel.create(queue, {
    pipeline: await createComputePipeline(queue, `${shape.order} gather`, code),
    workgroups: shape.lanes / workgroupSize,
    words: shape.lanes,
    kept: shape.lanes,
    parameters: (passes) => Uint32Array.of(passes, shape.length - 1, gatherStride, 0),
    data: [{ buffer: source }],
    expected: (lane, done, begun) => [
      gatherSum(shape, lane, { first: begun, passes: total(done) }),
    ],
  });
}

/** Atomic additions to so many counters, a power of two up to `lanes`; the unit is one of every lane. */
export async function createAtomicsKernel(
  queue: GpuQueue,
  lanes: number,
  counters: number,
  code = atomicsShader,
): Promise<LaneSumKernel> {
  return LaneSumKernel.create(queue, {
    pipeline: await createComputePipeline(queue, 'atomics', code),
    workgroups: lanes / workgroupSize,
    words: counters,
    parameters: (passes) => Uint32Array.of(passes, counters - 1, 0, 0),
    data: [],
    expected: (_, done) => [((lanes / counters) * total(done)) >>> 0],
  });
}

/**
 * Loads of a trip: so many that the loop's own cost does not show, and that no run comes near the
 * 65,535 trips after which llvmpipe ends a loop.
 */
export const loadsPerTrip = 128;

/** What lays pointers out and what follows them: one pair serves all working sets. */
export interface ChasePipelines {
  readonly layOut: GPUComputePipeline;
  readonly chase: GPUComputePipeline;
}

export async function createChasePipelines(
  queue: GpuQueue,
  code = chaseShader,
): Promise<ChasePipelines> {
  const body = repeatLines(code, { each: upTo(loadsPerTrip) });
  return {
    layOut: await createComputePipeline(queue, 'pointers', pointersShader),
    chase: await createComputePipeline(queue, 'chase', body),
  };
}

/**
 * One invocation that follows the pointers of a working set, a power of two of pages up to the
 * buffer's size, which it lays out first; the unit is `loadsPerTrip` loads.
 */
export async function createChaseKernel(
  queue: GpuQueue,
  workingSetSize: number,
  pointers: GPUBuffer,
  { layOut, chase }: ChasePipelines,
): Promise<LaneSumKernel> {
  await writePointers(queue, workingSetSize, pointers, layOut);
  return LaneSumKernel.create(queue, {
    pipeline: chase,
    workgroups: 1,
    words: 1,
    kept: 2,
    parameters: (trips) => Uint32Array.of(trips),
    data: [{ buffer: pointers }],
    expected: (_, done, begun) => {
      const [before, after] = [begun, begun + total(done)].map((trips) =>
        chaseSum(workingSetSize, loadsPerTrip * trips),
      );
      return [((after ?? 0) - (before ?? 0)) >>> 0];
    },
  });
}

/** Writes the pointers of a working set. */
async function writePointers(
  queue: GpuQueue,
  size: number,
  pointers: GPUBuffer,
  pipeline: GPUComputePipeline,
): Promise<void> {
  const pages = size / chasePageSize;
  const parameters = createUniform(queue, Uint32Array.of(pages - 1).buffer);
  const bindings = queue.device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [parameters, pointers].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const record = (pass: GPUComputePassEncoder) => {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindings);
    pass.dispatchWorkgroups(Math.min(1024, pages));
  };
  await submitPasses(queue, [{ record, expectedSeconds: 0 }]);
  parameters.destroy();
}
