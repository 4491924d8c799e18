import { expect, test } from 'vitest';
import { streamShape, type StreamVariant } from '../../../src/core/probes/streamVariant.ts';
import { submitPasses } from '../../../src/gpu/passes.ts';
import { CopyKernel } from '../../../src/gpu/probes/copyKernel.ts';
import { createStreamBuffers } from '../../../src/gpu/probes/streamBuffers.ts';
import { copyShaderOf } from '../../../src/gpu/probes/streamShader.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { openQueue } from '../timer/simulated.ts';

const size = 12 * 2 ** 20;
const base: StreamVariant = { element: 'vec4<u32>', unroll: 2, workgroupSize: 64 };

test('every element, unroll and workgroup size copies all, over shares that move on', async () => {
  const queue = await openQueue();
  const buffers = await createStreamBuffers(queue, size);
  const variants = (['vec4<u32>', 'mat4x4<f32>'] as const).flatMap((element) => [
    { element, unroll: 1, workgroupSize: 32 },
    { element, unroll: 4, workgroupSize: 128 },
  ]);
  for (const variant of variants)
    for (const arraySize of [40_000, 777_777, size]) {
      const shape = streamShape(variant, arraySize, 32);
      const kernel = await CopyKernel.create(queue, variant, shape, buffers);
      expect(await kernel.check(await run(queue, kernel)), JSON.stringify(variant)).toEqual({
        kind: 'right',
        flags: [],
      });
      expect(await kernel.check([{ amount: 7, runs: 1 }])).toMatchObject({ kind: 'wrong' });
      kernel.destroy();
    }
  buffers.destroy();
  queue.device.destroy();
});

test.for<[string, (code: string) => string]>([
  ['no store', (code) => code.replace(/destination\[at1\] = value1;/, '')],
  ['a constant stored', (code) => code.replace('= value0;', '= Element();')],
  ['one pass whatever was asked', (code) => code.replace('turn < parameters.passes', 'turn < 1u')],
  ['the share kept', (code) => code.replace('turn * parameters.stride', '0u')],
  ['loads of one place', (code) => code.replace('source[at0]', 'source[start]')],
])('a copy with %s is refused', async ([, spoil]) => {
  const queue = await openQueue();
  const buffers = await createStreamBuffers(queue, size);
  const code = spoil(copyShaderOf(base));
  expect(code).not.toBe(copyShaderOf(base));
  const shape = streamShape(base, 100_000, 16);
  const kernel = await CopyKernel.create(queue, base, shape, buffers, code);
  expect(await kernel.check(await run(queue, kernel))).toMatchObject({ kind: 'wrong' });
  queue.device.destroy();
});

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
async function run(queue: GpuQueue, kernel: CopyKernel) {
  const passes = [await kernel.record(2), await kernel.record(5), await kernel.record(5)];
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
