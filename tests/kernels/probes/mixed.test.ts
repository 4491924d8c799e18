import { expect, test } from 'vitest';
import { unrolledShape, type MixedVariant } from '../../../src/core/probes/mixedVariant.ts';
import { createComputePipeline } from '../../../src/gpu/buffers.ts';
import { createMixedKernel } from '../../../src/gpu/probes/mixedKernel.ts';
import { mixedShader } from '../../../src/gpu/probes/mixedShader.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { openQueue } from '../timer/simulated.ts';
import { others, patternBuffer, verdictOf } from './dispatches.ts';

const lanes = 1024;
/** Eight lines a lane: twelve lines go round once and begin again. */
const setSize = 8 * lanes * 64;

async function create(
  queue: GpuQueue,
  variant: MixedVariant,
  intensity: number,
  spoil: (code: string) => string = (code) => code,
) {
  const shape = unrolledShape(variant, intensity);
  const code = spoil(mixedShader(variant, shape));
  const pipeline = await createComputePipeline(queue, 'mixed', code);
  const source = await patternBuffer(queue, setSize);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const destination = queue.device.createBuffer({ size: setSize, usage });
  return createMixedKernel(queue, variant, shape, lanes, { source, destination }, pipeline);
}

const base = { columns: 4, stepsPerTrip: 16, workgroupSize: 64 } as const;

test.for<MixedVariant>([
  { ...base, form: 'affine', layout: 'line', pattern: 'read' },
  { ...base, form: 'quadratic', layout: 'rows', pattern: 'read', columns: 3, workgroupSize: 128 },
  { ...base, form: 'quadratic', layout: 'line', pattern: 'copy', columns: 2, stepsPerTrip: 32 },
  { ...base, form: 'affine', layout: 'rows', pattern: 'copy', stepsPerTrip: 8, workgroupSize: 32 },
])('$form steps of a $pattern of $layout fit the emulation at every intensity', async (variant) => {
  const queue = await openQueue();
  for (const intensity of [1 / 8, 1 / 4, 1 / 2, 1, 3, 8, 12, 256]) {
    const kernel = await create(queue, variant, intensity);
    const right = await verdictOf(queue, kernel);
    expect(right, `${intensity} flop/byte`).toEqual({ kind: 'right', flags: [] });
    expect(await verdictOf(queue, kernel, others)).toMatchObject({ kind: 'wrong' });
    kernel.destroy();
  }
  queue.device.destroy();
});

test.for([
  { name: 'one trip whatever was asked', from: 'trip < tripsPerSegment', to: 'trip < 1u' },
  { name: 'a segment cut off', from: 'segment < parameters.segments', to: 'segment < 0u' },
  { name: 'a step left out', from: 'x1 = stepOf(x1, a, b);', to: '' },
  { name: 'a vector that is not loaded', from: 'vectorOf(place, lanes, 1u)', to: 'vec4u(1u)' },
  { name: 'merged vectors', from: 'vectorOf(place, lanes, 1u)', to: 'words0' },
  { name: 'one line for all trips', from: 'number & parameters.lineMask', to: '0u' },
  {
    name: 'one line a dispatch',
    from: 'number < first + parameters.lines',
    to: 'number < first + 1u',
  },
  { name: 'a vector dropped', from: 'sum1 += end1;', to: '' },
  {
    name: 'results that are wrong from the third dispatch on',
    from: 'sums[id.x] += total;',
    to: 'sums[id.x] += select(total, total + 1u, first > 2u);',
  },
  { name: 'no store', from: 'destination[place] = Element(', to: 'let unused = Element(' },
  { name: 'a constant stored', from: 'bitcast<vec4f>(c)', to: 'vec4f(1.0)' },
  { name: 'dispatches that begin anew', from: '= sums[lanes + id.x];', to: '= 0u;' },
])('a mixed kernel with $name is refused', async ({ from, to }) => {
  const queue = await openQueue();
  const variant = { ...base, form: 'affine', layout: 'line', pattern: 'copy' } as const;
  const kernel = await create(queue, variant, 16, (code) => {
    expect(code).toContain(from);
    return code.replace(from, to);
  });
  expect(await verdictOf(queue, kernel)).toMatchObject({ kind: 'wrong' });
  queue.device.destroy();
});
