import { expect, test } from 'vitest';
import { mixedIntensities } from '../../../src/core/probes/mixed.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import type { GpuContext } from '../../../src/gpu/context.ts';
import { accessProbe, latencyProbe } from '../../../src/gpu/probes/accessProbe.ts';
import { innerMemoryProbe } from '../../../src/gpu/probes/innerMemoryProbe.ts';
import { kneeProbe } from '../../../src/gpu/probes/kneeProbe.ts';
import { tellSubgroupMatrix } from '../../../src/gpu/probes/subgroupMatrix.ts';
import { transferProbe } from '../../../src/gpu/probes/transferProbe.ts';
import { Transfers } from '../../../src/gpu/probes/transfers.ts';
import { openQueue } from '../timer/simulated.ts';
import { openContext } from './context.ts';

/** What a probe tells. Its results are right whatever else the machine does; its times may not be. */
async function samplesOf(probe: (context: GpuContext) => Promise<void>): Promise<Sample[]> {
  const queue = await openQueue();
  const { context, samples } = await openContext(queue);
  await probe(context);
  queue.device.destroy();
  const wrong = samples.filter(({ reason }) => /result|arrived|passes ran/.test(reason ?? ''));
  expect(wrong).toEqual([]);
  return samples;
}

test('the private sweep begins at 2 KiB; broadcast loads and workgroup memory are told apart', async () => {
  const samples = await samplesOf(innerMemoryProbe);
  const measured = samples.flatMap((sample) =>
    sample.measured.kind === 'bandwidth' ? [sample.measured] : [],
  );
  expect(measured).toHaveLength(samples.length);
  expect(measured.every(({ sweep }) => sweep === 'private')).toBe(true);
  expect(measured.some(({ addresses }) => addresses === 'broadcast')).toBe(true);
  expect(measured.some(({ space }) => space === 'workgroup')).toBe(true);
  const sizes = measured
    .filter(({ space, addresses }) => space === undefined && addresses === undefined)
    .map(({ workingSetSize }) => workingSetSize);
  expect(Math.min(...sizes)).toBeLessThanOrEqual(4096);
  expect(new Set(sizes).size).toBeGreaterThanOrEqual(8);
});

test('the knee has a sample at every intensity', async () => {
  const samples = await samplesOf(kneeProbe);
  const intensities = samples.map(({ measured }) =>
    measured.kind === 'mixed' ? measured.flops / measured.bytes : NaN,
  );
  for (const intensity of mixedIntensities)
    expect(intensities.some((found) => Math.abs(found / intensity - 1) < 0.025)).toBe(true);
});

test('eight working sets are chased, from a page on', async () => {
  const samples = await samplesOf(latencyProbe);
  const sizes = samples.map(({ measured }) =>
    measured.kind === 'latency' ? measured.workingSetSize : NaN,
  );
  expect(sizes[0]).toBe(4096);
  expect(sizes).toHaveLength(8);
});

test('gathers and atomics are extras', async () => {
  const samples = await samplesOf(accessProbe);
  const kinds = samples.map(({ measured }) => (measured.kind === 'extra' ? measured.of : ''));
  expect(new Set(kinds)).toEqual(new Set(['gatherStrided', 'gatherRandom', 'atomics']));
});

test('both directions of transfer are measured', async () => {
  const samples = await samplesOf(transferProbe);
  const directions = samples.map(({ measured }) =>
    measured.kind === 'transfer' ? measured.direction : '',
  );
  expect(directions).toEqual(['upload', 'download']);
});

test('what does not arrive is noticed, in both directions', async () => {
  const queue = await openQueue();
  const transfers = await Transfers.create(queue, 2 ** 16);
  await transfers.upload(3);
  expect(await transfers.isUploaded()).toBe(true);
  await transfers.prepareDownload(2);
  const copies = await transfers.download(2);
  expect(transfers.areDownloads(copies)).toBe(true);
  new Uint32Array(copies[1]!)[0]! += 1;
  expect(transfers.areDownloads(copies)).toBe(false);
  // A queue that drops writes from here on.
  queue.device.queue.writeBuffer = () => {};
  await transfers.upload(1);
  expect(await transfers.isUploaded()).toBe(false);
  await transfers.prepareDownload(2);
  expect(transfers.areDownloads(await transfers.download(2))).toBe(false);
  queue.device.destroy();
});

test('subgroup matrices are told as unsupported, with the reason', async () => {
  const [sample] = await samplesOf(tellSubgroupMatrix);
  expect(sample).toMatchObject({
    status: 'unsupported',
    reason: 'the browser has no chromium-experimental-subgroup-matrix',
  });
});
