import { launchBrowser } from '../../src/cli/browsers.ts';
import { serveBuiltApp } from '../../src/cli/serve.ts';

// Makes docs/images/run.png, the README's picture: a quick run on this machine, as a person sees it.
const app = await serveBuiltApp();
const browser = await launchBrowser('chromium');
const page = await browser.newPage({
  viewport: { width: 1280, height: 900 },
  deviceScaleFactor: 1.5,
  colorScheme: 'light',
});
await page.goto(app.url);
const run = page.getByRole('button', { name: 'Run', exact: true });
await run.click();
await run.waitFor({ timeout: 300_000 });
const charts = await page.locator('rooftrace-panel').last().boundingBox();
if (charts === null) throw new Error('the page shows no chart');
await page.screenshot({
  path: 'docs/images/run.png',
  fullPage: true,
  clip: { x: 0, y: 0, width: 1280, height: charts.y + charts.height + 24 },
});
await browser.close();
await app.close();
