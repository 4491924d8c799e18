import { expect, test } from '@playwright/test';
import { recordToJson } from '../../src/core/run/codec.ts';
import { cpuTraining, sampleRecord } from '../support/sample-record.ts';
import {
  dropFile,
  findPixel,
  openApp,
  openFile,
  pixelsOf,
  recordOf,
  tableTexts,
} from './support/app-page.ts';

test('a saved run opens with its tables, its chart and its own machine', async ({ page }) => {
  await openApp(page);
  await openFile(page, 'run.json', recordToJson(sampleRecord));
  await expect(page.locator('[data-notice=opened]')).toContainText('run.json');
  await expect(page.locator('[data-notice=software]')).toBeVisible();
  expect(await recordOf(page)).toEqual(sampleRecord);
  expect(await tableTexts(page)).toContain('56.9 GFLOP/s');
  await expect(page.locator('[data-trajectory=gpu-batch] tbody tr')).toHaveCount(6);
  for (const color of ['--ink', '--work'])
    expect(await pixelsOf(page, 'gpu', color), color).toBeGreaterThan(30);
});

test('which way is faster is said of threads and replicas, and of both devices', async ({
  page,
}) => {
  await openApp(page);
  const events = [...sampleRecord.events, ...cpuTraining];
  await openFile(page, 'run.json', recordToJson({ ...sampleRecord, events }));
  const said = page.locator('section.comparisons');
  await expect(said).toContainText('resnet8 on 2 cores: at batch 8 2 replicas train 1.20 times');
  await expect(said).toContainText('spend 10 % of a step at barriers, the replicas 2 %');
  await expect(said).toContainText('resnet8 at batch 32: the GPU trains');
  await expect(page.locator('[data-figures=processes] tbody tr')).toHaveCount(4);
});

test('the close view of a trajectory draws the same marks larger', async ({ page }) => {
  await openApp(page);
  await openFile(page, 'run.json', recordToJson(sampleRecord));
  const close = page.getByRole('button', { name: 'Trajectory' });
  await close.waitFor();
  const before = await pixelsOf(page, 'gpu', '--work');
  await close.click();
  await expect(close).toHaveAttribute('aria-pressed', 'true');
  expect(await pixelsOf(page, 'gpu', '--work')).toBeGreaterThan(before);
});

test('pointing at a mark reads what it is and what holds it back', async ({ page }) => {
  await openApp(page);
  await openFile(page, 'run.json', recordToJson(sampleRecord));
  await page.getByRole('button', { name: 'Trajectory' }).click();
  const mark = await findPixel(page, 'gpu', '--work');
  await page.mouse.move(mark.x, mark.y);
  const reading = page.locator('rooftrace-panel').first().locator('output');
  await expect(reading).toContainText(/At batch \d+.*GFLOP\/s/);
  await page.mouse.move(2, 2);
  await expect(reading).not.toContainText('batch');
});

test('a file that is no run is refused by name and changes nothing', async ({ page }) => {
  await openApp(page);
  await openFile(page, 'run.json', recordToJson(sampleRecord));
  await page.locator('[data-notice=opened]').waitFor();
  const broken = recordToJson(sampleRecord).replace('"rooftrace/1"', '"rooftrace/9"');
  await openFile(page, 'other.json', broken);
  await expect(page.locator('[data-notice=file]')).toContainText('other.json');
  await expect(page.locator('[data-notice=file]')).toContainText('schema');
  expect(await recordOf(page)).toEqual(sampleRecord);
  await openFile(page, 'text.json', 'not json at all');
  await expect(page.locator('[data-notice=file]')).toContainText('text.json');
  expect(await dropFile(page, 'dropped.json', recordToJson(sampleRecord))).toBe(true);
  await expect(page.locator('[data-notice=opened]')).toContainText('dropped.json');
  await expect(page.locator('[data-notice=file]')).toHaveCount(0);
  // No other view opens a run: it must not be lost for a file all the same.
  await page.getByRole('link', { name: 'Learn' }).click();
  expect(await dropFile(page, 'run.json', recordToJson(sampleRecord))).toBe(true);
});
