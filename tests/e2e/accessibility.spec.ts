import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { recordToJson } from '../../src/core/run/codec.ts';
import { sampleRecord } from '../support/sample-record.ts';
import { openApp, openFile } from './support/app-page.ts';

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
const everything = { ...sampleRecord, events: [...sampleRecord.events, failure] };

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await openApp(page, 'profile=bad');
    const empty = await new AxeBuilder({ page }).analyze();
    expect(empty.violations).toEqual([]);
    await openFile(page, 'run.json', recordToJson(everything));
    await page.locator('[data-failure]').waitFor();
    await page.getByText('Detail').click();
    const full = await new AxeBuilder({ page }).analyze();
    expect(full.violations).toEqual([]);
  });
}

test('nothing runs off a page 320 pixels wide', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openApp(page);
  await openFile(page, 'run.json', recordToJson(everything));
  await page.locator('table').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
