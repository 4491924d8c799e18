import { expect, test, type Locator, type Page } from '@playwright/test';
import { recordToJson } from '../../src/core/run/codec.ts';
import { sampleRecord } from '../support/sample-record.ts';
import { disclose, openApp, openFile, pixelsOf } from './support/app-page.ts';

test.beforeEach(async ({ page }) => {
  await openApp(page);
});

async function openSample(page: Page): Promise<void> {
  await openFile(page, 'run.json', recordToJson(sampleRecord));
  await page.locator('[data-notice=opened]').waitFor();
}

/** The GPU's panel, and what can be focused in it. */
function gpuPanel(page: Page): { readonly panel: Locator; readonly plot: Locator } {
  const heading = page.getByRole('heading', { name: 'GPU', exact: true });
  const panel = page.locator('rooftrace-panel').filter({ has: heading });
  return { panel, plot: panel.getByRole('application') };
}

test('before a run the charts show examples that say whose they are', async ({ page }) => {
  const charts = page.locator('rooftrace-chart');
  await expect(charts).toHaveCount(2);
  for (const chart of await charts.all())
    expect(
      await chart.evaluate((element) => (element as HTMLElement & { note?: string }).note),
    ).toMatch(/published .* not measured here/);
});

test('the keyboard reads, zooms, pans and returns', async ({ page }) => {
  await openSample(page);
  const { panel, plot } = gpuPanel(page);
  const reading = panel.locator('output');
  await plot.focus();
  const readings: string[] = [];
  for (let press = 0; press < 9; press += 1) {
    await page.keyboard.press('ArrowRight');
    readings.push(await reading.innerText());
  }
  // Two ceilings, the ridge point, six batches.
  expect(new Set(readings).size).toBe(9);
  expect(readings[0]).toMatch(/f32 .*GFLOP\/s/);
  await expect(reading).toHaveAttribute('aria-live', 'polite');
  await page.keyboard.press('Escape');
  const before = await pixelsOf(page, 'gpu', '--work');
  await plot.focus();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('+');
  const fit = panel.getByRole('button', { name: 'Fit' });
  await expect(fit).toBeEnabled();
  expect(await pixelsOf(page, 'gpu', '--work')).not.toBe(before);
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('0');
  await expect(fit).toBeDisabled();
  expect(await pixelsOf(page, 'gpu', '--work')).toBe(before);
});

test('dragging pans, the wheel scrolls the page until the chart has the focus', async ({
  page,
}) => {
  await openSample(page);
  const { panel, plot } = gpuPanel(page);
  await plot.scrollIntoViewIfNeeded();
  const fit = panel.getByRole('button', { name: 'Fit' });
  const box = await plot.boundingBox();
  if (!box) throw new Error('the chart is not there');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.wheel(0, -50);
  await expect(fit).toBeDisabled();
  await plot.focus();
  await page.mouse.wheel(0, -50);
  await expect(fit).toBeEnabled();
  await page.keyboard.press('0');
  await expect(fit).toBeDisabled();
  const now = (await plot.boundingBox()) ?? box;
  const from = { x: now.x + now.width / 2, y: now.y + now.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(fit).toBeEnabled();
  await fit.click();
  await expect(fit).toBeDisabled();
});

/** Two fingers on the plot move apart. The driver has no fingers, and so none that can be captured. */
function spread(plot: Locator): Promise<void> {
  return plot.evaluate((element) => {
    element.setPointerCapture = () => {};
    const box = element.getBoundingClientRect();
    const touch = (type: string, pointerId: number, x: number): void => {
      const button = type === 'pointermove' ? -1 : 0;
      const place = { clientX: box.left + x, clientY: box.top + box.height / 2 };
      element.dispatchEvent(new PointerEvent(type, { pointerId, button, ...place }));
    };
    touch('pointerdown', 1, 200);
    touch('pointerdown', 2, 240);
    for (let step = 1; step <= 10; step += 1) {
      touch('pointermove', 1, 200 - 5 * step);
      touch('pointermove', 2, 240 + 5 * step);
    }
    touch('pointerup', 1, 150);
    touch('pointerup', 2, 290);
  });
}

test('two fingers zoom, a double tap shows all again, and paper gets a drawing', async ({
  page,
  browserName,
}) => {
  await openSample(page);
  const { panel, plot } = gpuPanel(page);
  const fit = panel.getByRole('button', { name: 'Fit' });
  await plot.scrollIntoViewIfNeeded();
  await spread(plot);
  await expect(fit).toBeEnabled();
  // A busy machine may let too much time pass between two clicks.
  await expect(async () => {
    await plot.dblclick();
    await expect(fit).toBeDisabled({ timeout: 500 });
  }).toPass({ timeout: 15_000 });
  // Not every driver has paper.
  if (browserName !== 'chromium') return;
  await page.emulateMedia({ media: 'print' });
  await expect(panel.locator('svg polyline[data-series="gpu batch"]')).toBeVisible();
  await expect(plot).toBeHidden();
});

test('layers show and hide what there is, and both devices fit in one chart', async ({ page }) => {
  await openSample(page);
  const { plot } = gpuPanel(page);
  await disclose(page, 'What the charts show');
  await expect(plot).not.toHaveAttribute('aria-label', /cache/);
  await page.getByRole('checkbox', { name: 'caches' }).check();
  await expect(plot).toHaveAttribute('aria-label', /cache/);
  expect(await pixelsOf(page, 'gpu', '--parallelism')).toBe(0);
  await page.getByRole('checkbox', { name: 'other sweeps' }).check();
  await expect.poll(() => pixelsOf(page, 'gpu', '--parallelism')).toBeGreaterThan(30);
  await page.getByRole('checkbox', { name: 'both devices' }).check();
  await expect(page.getByRole('heading', { name: 'GPU and CPU' })).toBeVisible();
  await expect(page.locator('rooftrace-chart')).toHaveCount(1);
});
