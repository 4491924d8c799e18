// Loads the built page in headless Chromium with its CPU slowed fourfold, each time in a fresh profile,
// and prints when the largest content was painted and how much the page moved:
//   npx tsx tests/benches/first-load.ts [loads]
import type { Browser } from 'playwright';
import { launchBrowser } from '../../src/cli/browsers.ts';
import { serveBuiltApp } from '../../src/cli/serve.ts';
import { median } from '../../src/core/stats/median.ts';

const slowdown = 4;
const mostSeconds = 1.5;
const mostShift = 0.05;

interface Load {
  readonly paintSeconds: number;
  readonly shift: number;
}

/** Gathers what the browser tells of paints and shifts from the page's first moment on. */
const watch = `
  window.load = { paintSeconds: 0, shift: 0 };
  const observe = (type, read) =>
    new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => (load.paintSeconds = startTime / 1000));
  observe('layout-shift', ({ value }) => (load.shift += value));`;

async function loadOnce(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(url);
  await page.locator('canvas').last().waitFor();
  // A second without a larger paint: the last one was it.
  await page.waitForTimeout(1000);
  const load = await page.evaluate(() => (window as unknown as { load: Load }).load);
  await context.close();
  return load;
}

async function main([loads = '5']: readonly string[]): Promise<void> {
  const app = await serveBuiltApp();
  const browser = await launchBrowser('chromium');
  const found: Load[] = [];
  for (let load = 0; load < Number(loads); load += 1) found.push(await loadOnce(browser, app.url));
  await browser.close();
  await app.close();
  const paint = median(found.map(({ paintSeconds }) => paintSeconds));
  const shift = Math.max(...found.map((load) => load.shift));
  const all = found.map(({ paintSeconds }) => paintSeconds.toFixed(2)).join(' ');
  console.log(`largest contentful paint ${paint.toFixed(2)} s (${all}), at most ${mostSeconds} s`);
  console.log(`layout shift ${shift.toFixed(4)} at most, of ${mostShift}`);
  process.exitCode = paint <= mostSeconds && shift <= mostShift ? 0 : 1;
}

await main(process.argv.slice(2));
