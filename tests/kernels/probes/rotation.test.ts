import { expect, test } from 'vitest';
import { rotationShare, type RotationVariant } from '../../../src/core/probes/rotation.ts';
import { createComputePipeline } from '../../../src/gpu/buffers.ts';
import { createRotationKernel } from '../../../src/gpu/probes/rotationKernel.ts';
import { rotationShader } from '../../../src/gpu/probes/rotationShader.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { openQueue } from '../timer/simulated.ts';
import { others, patternBuffer, verdictOf } from './dispatches.ts';

const workgroups = 5;
const base = { addresses: 'distinct', element: 'vec4<u32>', unroll: 2, workgroupSize: 64 } as const;

async function create(
  queue: GpuQueue,
  variant: RotationVariant,
  size: number,
  spoil: (code: string) => string = (code) => code,
) {
  const share = rotationShare(variant, size);
  const code = spoil(rotationShader(variant, share));
  const pipeline = await createComputePipeline(queue, 'rotation', code);
  const source = await patternBuffer(queue, 2 ** 20);
  return createRotationKernel(queue, variant, { workgroups, share }, source, pipeline);
}

test.for([
  { space: 'storage', sizes: [100, 5000, 8192] },
  // SwiftShader takes half a second to compile a kernel with barriers.
  { space: 'workgroup', sizes: [8192] },
] as const)(
  'every workgroup loads all of its own in $space, in every pass at other lanes',
  async ({ space, sizes }) => {
    const queue = await openQueue();
    const variants: RotationVariant[] = [
      { ...base, space },
      { ...base, space, element: 'u32', unroll: 4, workgroupSize: 32 },
      { ...base, space, element: 'mat4x4<f32>', unroll: 1 },
      { ...base, space, addresses: 'broadcast' },
      { ...base, space, addresses: 'broadcast', element: 'u32', unroll: 8 },
    ];
    for (const variant of variants)
      for (const size of sizes) {
        const kernel = await create(queue, variant, size);
        const right = await verdictOf(queue, kernel);
        expect(right, JSON.stringify(variant)).toEqual({ kind: 'right', flags: [] });
        expect(await verdictOf(queue, kernel, others)).toMatchObject({ kind: 'wrong' });
        kernel.destroy();
      }
    queue.device.destroy();
  },
);

interface Breakage {
  readonly name: string;
  readonly space: RotationVariant['space'];
  readonly from: string;
  readonly to: string;
}

test.for<Breakage>([
  {
    name: 'no loads',
    space: 'storage',
    from: 'part1 += summand(load(',
    to: 'part1 = summand(load(',
  },
  { name: 'one pass', space: 'storage', from: 'number < parameters.passes', to: 'number < 1u' },
  { name: 'lanes that stay', space: 'storage', from: 'spread + number', to: 'spread' },
  { name: 'one place for all', space: 'storage', from: 'local * parameters.spread', to: '0u' },
  {
    name: 'one workgroup’s elements for all',
    space: 'storage',
    from: 'workgroup.x * parameters.share',
    to: '0u * parameters.share',
  },
  {
    name: 'half the trips',
    space: 'storage',
    from: 'at < parameters.share',
    to: 'at < workgroupSize',
  },
  { name: 'an empty tile', space: 'workgroup', from: 'tile[at] = source[start + at];', to: '' },
  { name: 'half a tile', space: 'workgroup', from: 'at < tileLength', to: 'at < tileLength / 2u' },
])('a private probe with $name is refused', async ({ space, from, to }) => {
  const queue = await openQueue();
  const kernel = await create(queue, { ...base, space }, 8192, (code) => {
    expect(code).toContain(from);
    return code.replace(from, to);
  });
  expect(await verdictOf(queue, kernel)).toMatchObject({ kind: 'wrong' });
  queue.device.destroy();
});
