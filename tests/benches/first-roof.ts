// Presses Run on the built page, each time in a fresh profile, and prints how long it took until the first
// roof was shown, in both browsers:
//   npx tsx tests/benches/first-roof.ts [runs]
import type { Browser } from 'playwright';
import { browserNames, launchBrowser } from '../../src/cli/browsers.ts';
import { serveBuiltApp } from '../../src/cli/serve.ts';
import { median } from '../../src/core/stats/median.ts';

const mostSeconds = 5;

/** Seconds from the press of Run to the first row of the table of ceilings. */
async function firstRoof(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(url);
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.waitFor();
  // The first visit's own work is over.
  await page.waitForTimeout(1000);
  const start = performance.now();
  await run.click();
  await page.locator('[data-ceiling]').first().waitFor();
  const seconds = (performance.now() - start) / 1000;
  await context.close();
  return seconds;
}

async function main([runs = '3']: readonly string[]): Promise<void> {
  const app = await serveBuiltApp();
  process.exitCode = 0;
  for (const name of browserNames) {
    const browser = await launchBrowser(name);
    const found: number[] = [];
    for (let run = 0; run < Number(runs); run += 1) found.push(await firstRoof(browser, app.url));
    await browser.close();
    const middle = median(found);
    const all = found.map((seconds) => seconds.toFixed(2)).join(' ');
    console.log(
      `${name}: first roof ${middle.toFixed(2)} s after Run (${all}), at most ${mostSeconds} s`,
    );
    if (middle > mostSeconds) process.exitCode = 1;
  }
  await app.close();
}

await main(process.argv.slice(2));
