import { expect, test, type Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';

/** Cuts the data set short where the worker reads it, so that an epoch is six steps of eight images. */
async function withFewImages(page: Page): Promise<void> {
  await page.route(/training\.worker[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const body = script.replaceAll('count:8192', 'count:48').replaceAll('count:2048', 'count:64');
    expect(body).not.toBe(script);
    await route.fulfill({ response, body });
  });
}

test('a network is trained: it can be paused and stopped, and every epoch is evaluated', async ({
  page,
}) => {
  await withFewImages(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('?view=train');
  await page.getByLabel('Batch').selectOption('8');
  await page.getByLabel('Epochs').selectOption('10');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  const epochs = page.locator('rooftrace-train-view tbody tr');
  await expect(epochs.first()).toContainText('%', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused').first()).toBeVisible();
  const progress = page.getByRole('progressbar', { name: 'Progress of the training' });
  const steps = (): Promise<number> =>
    progress.evaluate((element) => (element as HTMLProgressElement).value);
  // The step that was under way may still end.
  await expect.poll(async () => (await steps()) === (await steps())).toBe(true);
  await expectAccessible(page);
  const paused = await epochs.count();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(epochs.nth(paused)).toContainText('%', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Train again' })).toBeVisible();
  expect(await steps()).toBeLessThanOrEqual(60);
  await expect(page.getByRole('button', { name: /CSV/ })).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
