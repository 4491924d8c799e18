import { expect, test } from 'vitest';
import atomicsShader from '../../../shaders/probe/atomics.wgsl?raw';
import chaseShader from '../../../shaders/probe/chase.wgsl?raw';
import type { GatherShape } from '../../../src/core/probes/gather.ts';
import {
  createAtomicsKernel,
  createChaseKernel,
  createChasePipelines,
  createGatherKernel,
  gatherShader,
} from '../../../src/gpu/probes/accessKernels.ts';
import { openQueue } from '../timer/simulated.ts';
import { others, patternBuffer, verdictOf } from './dispatches.ts';

const right = { kind: 'right', flags: [] };
const size = 2 ** 20;

test.for(['strided', 'random'] as const)('%s gathers load every word asked for', async (order) => {
  const queue = await openQueue();
  const source = await patternBuffer(queue, size);
  const shape: GatherShape = { order, unroll: 4, lanes: 512, length: size / 4 };
  const kernel = await createGatherKernel(queue, shape, source);
  expect(await verdictOf(queue, kernel)).toEqual(right);
  expect(await verdictOf(queue, kernel, others)).toMatchObject({ kind: 'wrong' });
  for (const [from, to] of [
    ['index + 1u * lanes', 'index + 0u * lanes'],
    ['number < first + parameters.passes', 'number < first + 1u'],
    ['let index = number', 'let index = 0u'],
    ['let first = sums[lanes + id.x]', 'let first = 0u'],
  ] as const) {
    const code = gatherShader(shape);
    expect(code).toContain(from);
    const broken = await createGatherKernel(queue, shape, source, code.replace(from, to));
    expect(await verdictOf(queue, broken), from).toMatchObject({ kind: 'wrong' });
  }
  queue.device.destroy();
});

test('atomic additions all arrive, on one counter and on many', async () => {
  const queue = await openQueue();
  for (const counters of [1, 64, 512]) {
    const kernel = await createAtomicsKernel(queue, 512, counters);
    expect(await verdictOf(queue, kernel)).toEqual(right);
    expect(await verdictOf(queue, kernel, others)).toMatchObject({ kind: 'wrong' });
    const code = atomicsShader.replace('number < parameters.passes', 'number < 1u');
    expect(code).not.toBe(atomicsShader);
    const broken = await createAtomicsKernel(queue, 512, counters, code);
    expect(await verdictOf(queue, broken)).toMatchObject({ kind: 'wrong' });
  }
  queue.device.destroy();
});

test('a chase ends where following the pointers so often leads', async () => {
  const queue = await openQueue();
  const pointers = queue.device.createBuffer({ size, usage: GPUBufferUsage.STORAGE });
  const pipelines = await createChasePipelines(queue);
  for (const workingSetSize of [4096, 2 ** 16, size]) {
    const kernel = await createChaseKernel(queue, workingSetSize, pointers, pipelines);
    expect(await verdictOf(queue, kernel)).toEqual(right);
    expect(await verdictOf(queue, kernel, others)).toMatchObject({ kind: 'wrong' });
    const breaks = [
      ['trip < trips', 'trip < 1u'],
      ['at = pointers[at];', 'at = pointers[0];'],
      ['state[2] = at;', 'state[2] = 0u;'],
    ] as const;
    // The smallest set is walked round a whole number of times a trip: there the last is no break.
    for (const [from, to] of workingSetSize === 4096 ? breaks.slice(0, 2) : breaks) {
      expect(chaseShader).toContain(from);
      const broken = await createChaseKernel(
        queue,
        workingSetSize,
        pointers,
        await createChasePipelines(queue, chaseShader.replace(from, to)),
      );
      expect(await verdictOf(queue, broken), from).toMatchObject({ kind: 'wrong' });
    }
  }
  queue.device.destroy();
});
