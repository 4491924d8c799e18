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
await page.screenshot({ path: 'docs/images/run.png' });
await browser.close();
await app.close();
