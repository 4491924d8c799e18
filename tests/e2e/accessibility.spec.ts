import { expect, test, type Page } from '@playwright/test';
import { recordToJson } from '../../src/core/run/codec.ts';
import { cpuTraining, sampleRecord } from '../support/sample-record.ts';
import { disclose, openApp, openFile } from './support/app-page.ts';
import { expectAccessible } from './support/axe.ts';

const failure = {
  kind: 'failure',
  failure: {
    kind: 'device-lost',
    device: 'gpu',
    stage: 'copy sweep',
    cause: 'The GPU device was lost while it worked.',
    advice: 'Run again.',
    detail: 'destroyed',
  },
} as const;
const everything = { ...sampleRecord, events: [...sampleRecord.events, ...cpuTraining, failure] };

test('axe finds nothing, in either theme', async ({ page }) => {
  await openApp(page, 'profile=bad');
  await expectAccessible(page);
  await openFile(page, 'run.json', recordToJson(everything));
  await page.locator('[data-failure]').waitFor();
  for (const summary of ['Detail', 'What the charts show', 'What will be measured'])
    await disclose(page, summary);
  await page.getByRole('checkbox', { name: 'caches' }).check();
  await expect(page.locator('[data-answer] .sentence:not(.waiting)')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('radio', { name: /card/ }).check();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await disclose(page, 'To the letter');
  await expectAccessible(page);
});

/** How much the page has moved by itself, 0 to 1 and more; undefined where the browser does not tell. */
function layoutShift(page: Page): Promise<number | undefined> {
  return page.evaluate(
    () =>
      new Promise<number | undefined>((resolve) => {
        if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) resolve(undefined);
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            sum += (entry as PerformanceEntry & { readonly value: number }).value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // What is buffered is told before the next frames have passed.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
      }),
  );
}

test('nothing runs off a page 320 pixels wide, or moves while it loads', async ({
  page,
  browserName,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openApp(page);
  await page.locator('canvas').last().waitFor();
  if (browserName === 'chromium') expect(await layoutShift(page)).toBeLessThan(0.05);
  await openFile(page, 'run.json', recordToJson(everything));
  await page.locator('[data-ceiling]').first().waitFor();
  await disclose(page, 'What the charts show');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Link' }).waitFor();
  const box = await dialog.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320);
});
