import { expect, test } from '@playwright/test';
import { parseRecord } from '../../src/core/run/codec.ts';
import { wholeSteps } from '../../src/core/roofline/wholeSteps.ts';
import { summary } from '../../src/core/run/summary.ts';
import {
  openApp,
  openFile,
  pixelsOf,
  recordOf,
  runButton,
  savedText,
  tableTexts,
  waitForEvent,
} from './support/app-page.ts';
import { frameGaps, longTasks, pageTime, watchResponsiveness } from './support/watch.ts';

/** No task of the main thread may take longer while the page measures. */
const longestTaskMilliseconds = 50;
/**
 * Firefox tells no tasks, only frames, and a frame is late too when the threads that measure hold all
 * cores: so many of a run's thousands may be. Chromium, which tells tasks, is held to none.
 */
const lateFrames = 5;

test('a quick run draws both rooflines and both GPU trajectories on a page that stays responsive', async ({
  page,
  browserName,
}) => {
  await watchResponsiveness(page);
  await openApp(page);
  const start = await pageTime(page);
  await runButton(page).click();
  await waitForEvent(page, 'done', 'gpu');
  const end = await waitForEvent(page, 'done', 'cpu');

  const record = await recordOf(page);
  const { rooflines, trajectories, failures } = summary(record);
  expect(failures).toEqual([]);
  for (const device of ['gpu', 'cpu'] as const) {
    const roofline = rooflines.find((candidate) => candidate.device === device);
    expect(roofline?.compute.length, device).toBeGreaterThan(0);
    expect(roofline?.bandwidth.length, device).toBeGreaterThan(0);
    expect(roofline?.ridge.length, device).toBeGreaterThan(0);
  }
  const values = (parameter: string): readonly number[] =>
    wholeSteps(trajectories)
      .filter((trajectory) => trajectory.device === 'gpu' && trajectory.parameter === parameter)
      .flatMap(({ points }) => points.filter(({ status }) => status === 'ok'))
      .map(({ value }) => value);
  // Doublings go on while they pay; a busy machine has no time for some values.
  const batches = values('batch');
  expect(batches[0]).toBe(1);
  expect(batches.length).toBeGreaterThan(2);
  const workgroups = values('workgroups');
  expect(workgroups.length).toBeGreaterThan(1);
  for (const value of [...batches, ...workgroups.slice(0, -1)])
    expect(Number.isInteger(Math.log2(value)), String(value)).toBe(true);

  await expect(runButton(page)).toBeVisible();
  await expect(page.locator('[data-trajectory=gpu-batch] [data-status=ok]')).toHaveCount(
    batches.length,
  );
  await expect(page.locator('[data-trajectory=gpu-workgroups] [data-status=ok]')).toHaveCount(
    workgroups.length,
  );
  await expect(page.locator('[data-ceiling="compute.f32"]').first()).toBeVisible();
  for (const color of ['--ink', '--work'])
    expect(await pixelsOf(page, 'gpu', color), `GPU chart, ${color}`).toBeGreaterThan(30);
  expect(await pixelsOf(page, 'cpu', '--ink'), 'CPU chart').toBeGreaterThan(30);

  if (browserName === 'chromium')
    expect(await longTasks(page, start, end), 'long tasks').toEqual([]);
  else
    expect((await frameGaps(page, start, end))[lateFrames]).toBeLessThan(longestTaskMilliseconds);

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
