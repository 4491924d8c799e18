import { expect, test, type Page } from '@playwright/test';
import { sampleRecord } from '../support/sample-record.ts';
import { linkOf } from './support/links.ts';
import { expectAccessible } from './support/axe.ts';

const charts = 'rooftrace-embed-view svg';

/** Width and height of the page that a frame of such a size has, and whether it scrolls. */
function overflow(page: Page): Promise<readonly [number, number]> {
  return page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight] as const;
  });
}

test('an embedded link shows its charts and nothing else, as large as the frame', async ({
  page,
}) => {
  await page.setViewportSize({ width: 900, height: 420 });
  await page.goto(`?embed#r=${await linkOf({ ...sampleRecord, label: 'desk' }, 'full')}`);
  const chart = page.locator(charts);
  await expect(chart).toHaveCount(1);
  await expect(chart).toHaveAttribute('width', '900');
  await expect(chart).toHaveAttribute('height', '420');
  await expect(chart.locator('polyline[data-series]').first()).toBeAttached();
  await expect(chart).toContainText('software GPU');
  await expect(chart).toContainText('desk');
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.locator('header')).toHaveCount(0);
  expect(await overflow(page)).toEqual([0, 0]);
  await expectAccessible(page);

  await page.setViewportSize({ width: 400, height: 700 });
  await expect(chart).toHaveCount(2);
  await expect(chart.first()).toHaveAttribute('height', '350');
  expect(await overflow(page)).toEqual([0, 0]);
});

test('an embedded link that cannot be read says so', async ({ page }) => {
  await page.goto('?embed#r=broken');
  await expect(page.locator('[data-notice=link]')).toContainText('could not be read');
  await page.goto('?embed');
  await expect(page.locator('[data-notice=link]')).toBeVisible();
});
