import { expect } from '@playwright/test';
import { mixedIntensities } from '../../src/core/probes/mixed.ts';
import type { Sample } from '../../src/core/roofline/sample.ts';
import { test, type QuickRun } from './support/quick-run.ts';

function gpuSamples({ record }: QuickRun): readonly Sample[] {
  return record.events.flatMap((event) =>
    event.kind === 'sample' && event.sample.device === 'gpu' ? [event.sample] : [],
  );
}

/** What is measured by samples of a kind. */
function measuredOf<K extends Sample['measured']['kind']>(
  run: QuickRun,
  kind: K,
): readonly Extract<Sample['measured'], { readonly kind: K }>[] {
  return gpuSamples(run).flatMap(({ measured }) =>
    measured.kind === kind ? [measured as Extract<Sample['measured'], { readonly kind: K }>] : [],
  );
}

test('a quick run has right results of every GPU probe, whatever else the machine does', ({
  quickRun,
}) => {
  const wrong = gpuSamples(quickRun).filter(({ reason }) =>
    /result|arrived|passes ran/.test(reason ?? ''),
  );
  expect(wrong).toEqual([]);
});

test('a quick run sweeps private memory from 4 KiB on, and tells broadcast loads and workgroup memory apart', ({
  quickRun,
}) => {
  const inner = measuredOf(quickRun, 'bandwidth').filter(({ sweep }) => sweep === 'private');
  expect(inner.some(({ addresses }) => addresses === 'broadcast')).toBe(true);
  expect(inner.some(({ space }) => space === 'workgroup')).toBe(true);
  const sizes = inner
    .filter(({ space, addresses }) => space === undefined && addresses === undefined)
    .map(({ workingSetSize }) => workingSetSize);
  expect(Math.min(...sizes)).toBeLessThanOrEqual(4096);
  expect(new Set(sizes).size).toBeGreaterThanOrEqual(8);
});

test('a quick run has a sample of the GPU’s knee at every intensity', ({ quickRun }) => {
  const found = measuredOf(quickRun, 'mixed').map(({ flops, bytes }) => flops / bytes);
  for (const intensity of mixedIntensities)
    expect(
      found.some((value) => Math.abs(value / intensity - 1) < 0.025),
      String(intensity),
    ).toBe(true);
});

test('a quick run chases eight working sets on the GPU, from a page on', ({ quickRun }) => {
  const sizes = measuredOf(quickRun, 'latency').map(({ workingSetSize }) => workingSetSize);
  expect(sizes[0]).toBe(4096);
  expect(sizes).toHaveLength(8);
});

test('a quick run has gathers, atomics and both directions of transfer, and says what the browser lacks', async ({
  quickRun,
}) => {
  const extras = measuredOf(quickRun, 'extra').map((measured) => measured.of);
  expect(new Set(extras)).toEqual(new Set(['gatherStrided', 'gatherRandom', 'atomics']));
  const directions = measuredOf(quickRun, 'transfer').map(({ direction }) => direction);
  expect(directions).toEqual(['upload', 'download']);
  const missing = gpuSamples(quickRun).filter(({ status }) => status === 'unsupported');
  expect(missing.map(({ reason }) => reason)).toContain(
    'the browser has no chromium-experimental-subgroup-matrix',
  );
  const shown = quickRun.page.locator('[data-unsupported]');
  for (const { reason = '' } of missing) await expect(shown).toContainText(reason);
});
