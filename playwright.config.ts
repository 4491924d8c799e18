import { createServer } from 'node:net';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './src/cli/browsers.ts';

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

// Playwright reads this file again in each of its processes: they must agree on the port.
process.env['ROOFTRACE_TEST_PORT'] ??= String(await freePort());
const port = process.env['ROOFTRACE_TEST_PORT'];
const [chromium, firefox] = await Promise.all([findBrowser('chromium'), findBrowser('firefox')]);

export default defineConfig({
  testDir: 'tests/e2e',
  // Runs measure: side by side they would measure each other.
  workers: 1,
  timeout: 120_000,
  // A Firefox that is driven freezes a worker in about one of a hundred runs; a retry is listed as flaky.
  retries: 1,
  reporter: [['list']],
  // A service worker would answer in place of the routes that tests set; its own tests allow it.
  use: { baseURL: `http://127.0.0.1:${port}/`, serviceWorkers: 'block' },
  projects: [
    { name: 'chromium', use: { browserName: 'chromium', launchOptions: chromium.launch } },
    { name: 'firefox', use: { browserName: 'firefox', launchOptions: firefox.launch } },
  ],
  webServer: {
    command: `npm run build --silent -- --logLevel warn && npx vite preview --host 127.0.0.1 --port ${port} --strictPort`,
    url: `http://127.0.0.1:${port}/`,
    timeout: 120_000,
  },
});
