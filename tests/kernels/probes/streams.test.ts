import { expect, test } from 'vitest';
import {
  streamArrays,
  streamShape,
  type StreamShape,
  type StreamVariant,
} from '../../../src/core/probes/streamVariant.ts';
import { createComputePipeline } from '../../../src/gpu/buffers.ts';
import { submitPasses } from '../../../src/gpu/passes.ts';
import { createStreamBuffers, type StreamBuffers } from '../../../src/gpu/probes/streamBuffers.ts';
import { StreamKernel } from '../../../src/gpu/probes/streamKernel.ts';
import { streamShader } from '../../../src/gpu/probes/streamShader.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { openQueue } from '../timer/simulated.ts';

const size = 12 * 2 ** 20;
const patterns = ['read', 'write', 'copy', 'triad'] as const;
const base = { element: 'vec4<u32>', unroll: 2, workgroupSize: 64 } as const;

test.for(patterns)(
  '%s moves all of it, with every element, over shares that move on',
  async (pattern) => {
    const queue = await openQueue();
    const buffers = await createStreamBuffers(queue, size);
    const variants: StreamVariant[] = [
      { pattern, element: 'u32', unroll: 8, workgroupSize: 64 },
      { pattern, element: 'vec4<u32>', unroll: 1, workgroupSize: 32 },
      { pattern, element: 'vec4<u32>', unroll: 4, workgroupSize: 128 },
      { pattern, element: 'mat4x4<f32>', unroll: 2, workgroupSize: 64 },
    ];
    for (const variant of variants)
      for (const arraySize of [40_000, 777_777, size / streamArrays[pattern]]) {
        const shape = streamShape(variant, arraySize, 32);
        const kernel = await create(queue, variant, shape, buffers);
        expect(await kernel.check(await run(queue, kernel)), JSON.stringify(variant)).toEqual({
          kind: 'right',
          flags: [],
        });
        expect(await kernel.check([{ amount: 7, runs: 1 }])).toMatchObject({ kind: 'wrong' });
        kernel.destroy();
      }
    buffers.destroy();
    queue.device.destroy();
  },
);

interface Breakage {
  readonly pattern: (typeof patterns)[number];
  readonly name: string;
  readonly spoil: (code: string) => string;
}

test.for<Breakage>([
  {
    pattern: 'copy',
    name: 'no store',
    spoil: (code) => code.replace('destination[at1] = value1;', ''),
  },
  {
    pattern: 'copy',
    name: 'a constant stored',
    spoil: (code) => code.replace('] = value0;', '] = Element();'),
  },
  {
    pattern: 'copy',
    name: 'one pass whatever was asked',
    spoil: (code) => code.replace('number < parameters.passes', 'number < 1u'),
  },
  {
    pattern: 'copy',
    name: 'the share kept',
    spoil: (code) => code.replace('number * parameters.stride', '0u'),
  },
  {
    pattern: 'copy',
    name: 'loads of one place',
    spoil: (code) => code.replace('source[at0]', 'source[start]'),
  },
  {
    pattern: 'read',
    name: 'half the words loaded',
    spoil: (code) => code.replace('dot(element, vec4u(1u))', '2u * (element.x + element.y)'),
  },
  {
    pattern: 'read',
    name: 'half the elements loaded',
    spoil: (code) => code.replace('source[at1]', 'source[at0]'),
  },
  {
    pattern: 'write',
    name: 'a constant stored',
    spoil: (code) => code.replace('] = value1;', '] = own;'),
  },
  {
    pattern: 'triad',
    name: 'the addend left out',
    spoil: (code) => code.replace('+ 0.5 * bitcast<vec4f>(b)', ''),
  },
])('$pattern with $name is refused', async ({ pattern, spoil }) => {
  const queue = await openQueue();
  const buffers = await createStreamBuffers(queue, size);
  const variant = { ...base, pattern };
  const code = spoil(streamShader(variant));
  expect(code).not.toBe(streamShader(variant));
  const kernel = await create(queue, variant, streamShape(variant, 100_000, 16), buffers, code);
  expect(await kernel.check(await run(queue, kernel))).toMatchObject({ kind: 'wrong' });
  queue.device.destroy();
});

async function create(
  queue: GpuQueue,
  variant: StreamVariant,
  shape: StreamShape,
  buffers: StreamBuffers,
  code = streamShader(variant),
): Promise<StreamKernel> {
  const pipeline = await createComputePipeline(queue, variant.pattern, code);
  return StreamKernel.create(queue, variant, shape, buffers, pipeline);
}

test('buffers shrink until the device has memory for them', async () => {
  const queue = await openQueue();
  const createBuffer = queue.device.createBuffer.bind(queue.device);
  // A device with 8 MiB to give: larger buffers report out of memory as the real one would.
  let exhausted = false;
  queue.device.createBuffer = (descriptor) => {
    exhausted = descriptor.size > 8 * 2 ** 20;
    return createBuffer({ ...descriptor, size: Math.min(descriptor.size, 8 * 2 ** 20) });
  };
  const popErrorScope = queue.device.popErrorScope.bind(queue.device);
  let pops = 0;
  queue.device.popErrorScope = async () => {
    const error = await popErrorScope();
    pops += 1;
    return exhausted && pops % 2 === 0 ? new GPUOutOfMemoryError('simulated') : error;
  };
  const buffers = await createStreamBuffers(queue, 32 * 2 ** 20);
  expect(buffers.size).toBe(8 * 2 ** 20);
  queue.device.destroy();
});

/** Dispatches 2, 5 and 5 passes. */
async function run(queue: GpuQueue, kernel: StreamKernel) {
  const passes = [kernel.record(2), kernel.record(5), kernel.record(5)];
  kernel.clear();
  await submitPasses(
    queue,
    passes.map((record) => ({ record, expectedSeconds: 0 })),
  );
  return [
    { amount: 2, runs: 1 },
    { amount: 5, runs: 2 },
  ];
}
