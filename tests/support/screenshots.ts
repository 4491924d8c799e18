import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright';
import { launchBrowser } from '../../src/cli/browsers.ts';
import { serveBuiltApp } from '../../src/cli/serve.ts';
import { parseRecord } from '../../src/core/run/codec.ts';
import { linkOf } from '../e2e/support/links.ts';

// Makes docs/screenshots: every view, on a desktop and on a phone, light and dark. The numbers are
// those of the reference runs; only the training is done here. `-- VIEW` makes one view's alone;
// `-- --whole` (after it or alone) pictures of the whole length instead of the first screens.

const folder = 'docs/screenshots';
const reference = 'public/reference/chrome-156-on-linux-quick.json';
const sizes = {
  desktop: { width: 1280, height: 1000 },
  phone: { width: 390, height: 1000 },
} as const;
/** Of the view that has the charts. */
const measureHeight = 1450;
const schemes = ['light', 'dark'] as const;

const record = parseRecord(readFileSync(reference, 'utf8'));
if (record.kind !== 'ok') throw new Error(`${reference} is no run`);
const link = await linkOf(record.value, 'full');

/** How each view is reached, from the page's address to the state that its picture shows. */
const views: Readonly<Record<string, (page: Page, url: string) => Promise<void>>> = {
  first: async (page, url) => {
    await page.goto(url);
    await page.locator('canvas').last().waitFor();
  },
  measure: openRun,
  running: async (page, url) => {
    await page.goto(url);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('[data-ceiling]').nth(1).waitFor({ timeout: 60_000 });
  },
  share: async (page, url) => {
    await openRun(page, url);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('radio', { name: /card/ }).check();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
  },
  train: async (page, url) => {
    await page.goto(`${url}?view=train`);
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    const progress = page.getByRole('progressbar', { name: 'Progress of the training' });
    while ((await stepsOf(progress)) < 40) await page.waitForTimeout(500);
    await page.getByRole('button', { name: 'Pause' }).click();
  },
  compare: async (page, url) => {
    await page.goto(`${url}?view=compare`);
    await page.locator('[data-reference]').nth(0).click();
    await page.locator('[data-reference]').nth(1).click();
    await page.locator('[data-overlay=cpu] canvas').waitFor();
  },
  learn: async (page, url) => {
    await page.goto(`${url}?view=learn`);
    await page.locator('[data-playground]').waitFor();
  },
  lesson: async (page, url) => {
    await page.goto(`${url}?view=learn&lesson=2`);
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'This is my prediction' }).click();
    await page.locator('[data-verdict]').waitFor();
  },
  embed: async (page, url) => {
    await page.goto(`${url}?embed#r=${link}`);
    await page.locator('rooftrace-embed-view svg').first().waitFor();
  },
};

/** Steps that the training has done. */
function stepsOf(progress: Locator): Promise<number> {
  return progress.evaluate((element) => (element as HTMLProgressElement).value);
}

async function openRun(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('input[type=file]').first().setInputFiles(reference);
  await page.locator('[data-ceiling]').first().waitFor();
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const whole = process.argv.includes('--whole');
const names = wanted.length > 0 ? wanted : Object.keys(views);

async function takePictures(browser: Browser, url: string, name: string): Promise<void> {
  const reach = views[name];
  if (reach === undefined) throw new Error(`there is no view ${name}`);
  // One page a view, so that what takes long is done once.
  const page = await browser.newPage({ viewport: sizes.desktop });
  await reach(page, url);
  for (const [device, viewport] of Object.entries(sizes))
    for (const colorScheme of schemes) {
      const height = name === 'measure' ? measureHeight : viewport.height;
      await page.setViewportSize({ ...viewport, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      await page.screenshot({
        path: `${folder}/${name}-${device}-${colorScheme}.png`,
        fullPage: whole,
      });
    }
  await page.close();
}

mkdirSync(folder, { recursive: true });
if (wanted.length === 0) rmSync(folder, { recursive: true });
const app = await serveBuiltApp();
const browser = await launchBrowser('chromium');
for (const name of names) await takePictures(browser, app.url, name);
await browser.close();
await app.close();
