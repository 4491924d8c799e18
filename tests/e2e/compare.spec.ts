import { expect, test, type Page } from '@playwright/test';
import { recordToJson } from '../../src/core/run/codec.ts';
import type { RunRecord } from '../../src/core/run/record.ts';
import { sampleRecord } from '../support/sample-record.ts';
import { dropFile } from './support/app-page.ts';
import { linkOf } from './support/links.ts';
import { expectAccessible } from './support/axe.ts';

function labelled(label: string, version = sampleRecord.app.version): RunRecord {
  return { ...sampleRecord, label, app: { version, commit: 'test' } };
}

async function pastable(label: string): Promise<string> {
  return `https://example.org/#r=${await linkOf(labelled(label), 'card')}`;
}

async function chooseFiles(page: Page, records: readonly RunRecord[]): Promise<void> {
  await page.locator('rooftrace-run-sources input[type=file]').setInputFiles(
    records.map((record, index) => ({
      name: `run-${index}.json`,
      mimeType: 'application/json',
      buffer: Buffer.from(recordToJson(record)),
    })),
  );
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Links' }).fill(text);
  await page.getByRole('button', { name: 'Add links' }).click();
}

test('three runs, from a file, a link and a reference, stand over each other', async ({ page }) => {
  await page.goto('?view=compare');
  // Before the view is there, nothing on the page takes a file.
  await page.locator('[data-reference]').first().waitFor();
  await dropFile(page, 'desk.json', recordToJson(labelled('desk', '9.9.9')));
  await paste(page, await pastable('laptop'));
  // Each run that comes moves what stands below it.
  await expect(page.locator('[data-run]')).toHaveCount(2);
  await page.locator('[data-reference]').first().click();
  await expect(page.locator('[data-run]')).toHaveCount(3);
  for (const device of ['gpu', 'cpu'])
    for (const name of ['desk', 'laptop'])
      await expect(
        page.locator(`[data-overlay=${device}]`).getByRole('application'),
      ).toHaveAccessibleName(new RegExp(`${name} roofline chart. Ceilings: .*`));
  const differing = page.locator('[data-differs]');
  await expect(differing.filter({ hasText: 'Rooftrace version' })).toContainText('9.9.9');
  const peak = page.locator('[data-figure="gpu.compute.f32"]');
  await expect(peak.locator('[data-verdict]')).toHaveCount(2);
  await expect(peak.getByRole('cell').nth(0)).toHaveText('56.9 GFLOP/s');
  // A link of a run shows the figures of the run.
  await expect(peak.getByRole('cell').nth(1)).toHaveText('56.9 GFLOP/s');
  await expect(peak.getByRole('cell').nth(3)).toHaveText('1.00');
  await expect(peak.locator('[data-verdict]').first()).toHaveText(
    'within run-to-run noise; run again',
  );
  await page.getByRole('button', { name: 'Remove laptop' }).click();
  await expect(page.locator('[data-run]')).toHaveCount(2);
  await page.getByRole('link', { name: 'Measure' }).click();
  await page.goBack();
  await expect(page.locator('[data-run]')).toHaveCount(2);
  for (let left = 2; left > 0; left -= 1)
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
  await expect(page.getByRole('heading', { name: 'Add runs' })).toBeFocused();
});

test('repeats share a side, until the user says otherwise', async ({ page }) => {
  await page.goto('?view=compare');
  await chooseFiles(page, [labelled('desk'), labelled('desk'), labelled('desk')]);
  await expect(page.locator('[data-run]')).toHaveCount(3);
  await expect(page.locator('[data-verdict]')).toHaveCount(0);
  await page.getByLabel('Side of desk').last().selectOption('B');
  await expect(page.locator('[data-verdict]').first()).toBeVisible();
});

test('a class of links becomes dots, of which up to six are ticked', async ({ page }) => {
  await page.goto('?view=compare');
  const links = await Promise.all(
    Array.from({ length: 8 }, (_, index) => pastable(`student ${index}`)),
  );
  await paste(page, `${links.join('\n')}\nhttps://example.org/ #r=broken`);
  await expect(page.locator('[data-class-run]')).toHaveCount(8);
  await expect(page.locator('rooftrace-dot-plot').first().locator('.dot')).toHaveCount(16);
  await expect(page.locator('[data-notice=compare]').first()).toContainText('1 link');
  for (let index = 0; index < 6; index += 1)
    await page.getByLabel(`Compare student ${index}`).check();
  await expect(page.locator('[data-run]')).toHaveCount(6);
  await expect(page.getByLabel('Compare student 6')).toBeDisabled();
  await page.locator('rooftrace-dot-plot .dot.chosen').first().click();
  await expect(page.locator('[data-run]')).toHaveCount(5);
});

test('axe finds nothing in a comparison, in either theme', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('?view=compare');
  const links = await Promise.all(
    Array.from({ length: 7 }, (_, index) => pastable(`number ${index}`)),
  );
  await paste(page, links.join(' '));
  await page.getByLabel('Compare number 0').check();
  await page.getByLabel('Compare number 1').check();
  await page.locator('[data-overlay=cpu] canvas').waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('a view and reference runs that are out of reach are said to be, and can be tried again', async ({
  page,
}) => {
  await page.route(/compare-view[^/]*\.js$|reference\/index\.json$/, (route) => route.abort());
  await page.goto('?view=compare');
  const notice = page.locator('[data-notice=view]');
  await expect(notice).toContainText('could not be loaded');
  await page.unroute(/compare-view[^/]*\.js$|reference\/index\.json$/);
  await page.route(/reference\/index\.json$/, (route) => route.abort());
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('[data-notice=reference]')).toContainText('not available now');
  await expect(page.getByRole('button', { name: 'Add links' })).toBeVisible();
});
