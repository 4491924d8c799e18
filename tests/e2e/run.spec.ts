import { expect } from '@playwright/test';
import { parseRecord } from '../../src/core/run/codec.ts';
import type { StepTiming } from '../../src/core/run/events.ts';
import { wholeSteps } from '../../src/core/roofline/wholeSteps.ts';
import { summary } from '../../src/core/run/summary.ts';
import {
  openApp,
  openFile,
  pixelsOf,
  runButton,
  savedText,
  tableTexts,
} from './support/app-page.ts';
import { test, type QuickRun } from './support/quick-run.ts';

/** No task of the main thread may take longer while the page measures. */
const longestTaskMilliseconds = 50;
/**
 * Firefox tells no tasks, only frames, and a frame is late too when the threads that measure hold all
 * cores: so many of a run's thousands may be. Chromium, which tells tasks, is held to none.
 */
const lateFrames = 5;

test('the page stays responsive while it measures', ({ quickRun, browserName }) => {
  const { longTasks, frameGaps } = quickRun;
  if (browserName === 'chromium') expect(longTasks, 'long tasks').toEqual([]);
  else expect(frameGaps[lateFrames]).toBeLessThan(longestTaskMilliseconds);
});

test('a quick run finds both rooflines, and nothing fails', ({ quickRun }) => {
  const { rooflines, failures } = summary(quickRun.record);
  expect(failures).toEqual([]);
  for (const device of ['gpu', 'cpu'] as const) {
    const roofline = rooflines.find((candidate) => candidate.device === device);
    expect(roofline?.compute.length, device).toBeGreaterThan(0);
    expect(roofline?.bandwidth.length, device).toBeGreaterThan(0);
    expect(roofline?.ridge.length, device).toBeGreaterThan(0);
  }
});

test('a quick run shows its first roof before it measures anything else', ({
  quickRun: { record, firstSampleSeconds },
  browserName,
}) => {
  console.log(`${browserName}: first roof ${firstSampleSeconds.toFixed(2)} s after Run`);
  const { events } = record;
  const first = events.findIndex(
    ({ kind }, index) =>
      kind === 'sample' &&
      summary({ ...record, events: events.slice(0, index + 1) }).rooflines.length > 0,
  );
  const before = events.slice(0, first + 1);
  expect(before.at(-1)).toMatchObject({ sample: { measured: { precision: 'f32' } } });
  const stages = before.flatMap((event) => (event.kind === 'progress' ? [event.stage] : []));
  expect(['timer', 'arithmetic', 'f32 arithmetic']).toEqual(expect.arrayContaining(stages));
  // The first shape that was measured is one already, unless the machine was too busy for it.
  expect(before.filter(({ kind }) => kind === 'sample').length).toBeLessThanOrEqual(4);
});

/** Steps of the GPU along a parameter. */
function stepsOf({ record }: QuickRun, parameter: StepTiming['parameter']): StepTiming[] {
  return record.events.flatMap((event) =>
    event.kind === 'step' && event.step.device === 'gpu' && event.step.parameter === parameter
      ? [event.step]
      : [],
  );
}

/** Distinct values, rising. */
function valuesOf(steps: readonly StepTiming[]): number[] {
  return [...new Set(steps.map(({ value }) => value))].toSorted((a, b) => a - b);
}

function powersOfTwo(below: number): number[] {
  return Array.from({ length: Math.ceil(Math.log2(below)) }, (_, power) => 2 ** power);
}

test('a quick run walks both GPU trajectories, each from end to end', ({ quickRun }) => {
  const batches = stepsOf(quickRun, 'batch');
  const largest = Math.max(...batches.map(({ value }) => value));
  expect(largest).toBeGreaterThanOrEqual(32);
  expect(valuesOf(batches)).toEqual(powersOfTwo(2 * largest));
  const workgroups = stepsOf(quickRun, 'workgroups');
  // The largest number of tiles, whatever it is, is the default.
  const most = Math.max(...workgroups.map(({ value }) => value));
  expect(valuesOf(workgroups)).toEqual([...powersOfTwo(most), most]);
  // A slow or busy machine has no time for some, and says so.
  for (const { status, reason, value } of [...batches, ...workgroups])
    if (status !== 'ok') expect(reason, String(value)).toMatch(/would take|was spent|already/);
  const good = batches.filter(({ status }) => status === 'ok');
  expect(valuesOf(good).length).toBeGreaterThan(2);
  expect(workgroups.filter(({ status }) => status === 'ok').length).toBeGreaterThan(1);
});

test('the page draws, tells and saves what was measured', async ({ quickRun }) => {
  const { page, record } = quickRun;
  const { trajectories } = summary(record);
  await expect(runButton(page)).toBeVisible();
  for (const parameter of ['batch', 'workgroups']) {
    const good = wholeSteps(trajectories)
      .filter((trajectory) => trajectory.device === 'gpu' && trajectory.parameter === parameter)
      .flatMap(({ points }) => points.filter(({ status }) => status === 'ok'));
    const rows = page.locator(`[data-trajectory=gpu-${parameter}] [data-status=ok]`);
    await expect(rows).toHaveCount(good.length);
  }
  await expect(page.locator('[data-ceiling="compute.f32"]').first()).toBeVisible();
  for (const color of ['--ink', '--work'])
    expect(await pixelsOf(page, 'gpu', color), `GPU chart, ${color}`).toBeGreaterThan(30);
  expect(await pixelsOf(page, 'cpu', '--ink'), 'CPU chart').toBeGreaterThan(30);

  const tables = await tableTexts(page);
  const text = await savedText(page, 'Save as JSON');
  const parsed = parseRecord(text);
  expect(parsed.kind === 'ok' && parsed.value).toEqual(record);
  await openFile(page, 'run.json', text);
  await page.locator('[data-notice=opened]').waitFor();
  expect(await tableTexts(page)).toEqual(tables);
  const csv = await savedText(page, 'Save samples as CSV');
  const samples = record.events.filter(({ kind }) => kind === 'sample');
  expect(csv.trimEnd().split('\n').length).toBeGreaterThan(samples.length);
  await page.locator('[data-figures=projection] > summary').click();
  await expect(page.locator('[data-projection] tbody th').first()).toHaveText('1');
  await expect(page.locator('[data-figures=calls] tbody tr').first()).toBeAttached();
});

test('the kernels that were chosen are kept over a reload, until they are forgotten', async ({
  quickRun: { page, record },
}) => {
  await openApp(page);
  await page.getByText('What will be measured').click();
  const kept = page.locator('rooftrace-kept-choices');
  await expect(kept).toContainText(record.startedAt.slice(0, 10));
  await kept.getByRole('button', { name: 'Choose them anew' }).click();
  await expect(kept.locator('p')).toHaveCount(0);
});
