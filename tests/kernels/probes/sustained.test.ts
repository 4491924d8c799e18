import { expect, test } from 'vitest';
import { chainOpenings } from '../../../src/core/probes/chainVariant.ts';
import { samplesOf } from '../../../src/core/roofline/rates.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { sustainedOf } from '../../../src/core/roofline/sustained.ts';
import { ChainKernel } from '../../../src/gpu/probes/chainKernel.ts';
import { chainShader } from '../../../src/gpu/probes/chainShader.ts';
import { runSustained } from '../../../src/gpu/probes/sustainedProbe.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { openContext } from './context.ts';
import { openQueue, openQueueWithoutTimestamps } from '../timer/simulated.ts';

const winner = { variant: chainOpenings('fmaF32')[0], lanes: 2048 };
const plan = { seconds: 0.5, partSeconds: 0.15, runSeconds: 0.01 };

async function samplesFrom(queue: GpuQueue, code?: string): Promise<Sample[]> {
  const { context, samples } = await openContext(queue);
  const { variant, lanes } = winner;
  const kernel = await ChainKernel.create(queue, variant, lanes, code);
  await runSustained(context, kernel, winner, plan);
  queue.device.destroy();
  return samples;
}

test.for([
  { clock: 'timestamp', open: () => openQueue() },
  { clock: 'clock', open: openQueueWithoutTimestamps },
] as const)('parts follow each other and are checked, by $clock', async ({ clock, open }) => {
  const samples = await samplesFrom(await open());
  expect(samples.length).toBeGreaterThanOrEqual(2);
  for (const { status, timer } of samples) expect([status, timer]).toEqual(['ok', clock]);
  const found = sustainedOf(samplesOf(samples, 'sustained'));
  expect(found?.windows.length).toBeGreaterThanOrEqual(samples.length);
  expect(found?.ratio).toBeGreaterThan(0);
});

test('a kernel that does less than it should is refused in every part', async () => {
  const { variant } = winner;
  const code = chainShader(variant).replace('segment < parameters.segments', 'segment < 1u');
  expect(code).not.toBe(chainShader(variant));
  const samples = await samplesFrom(await openQueue(), code);
  expect(samples.length).toBeGreaterThan(0);
  for (const { status } of samples) expect(status).toBe('failed');
});
