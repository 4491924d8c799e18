import { createServer } from 'node:net';
import { defineConfig, type Project } from '@playwright/test';
import { findBrowser, type FoundBrowser } from './src/cli/browsers.ts';

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
const browsers = await Promise.all([findBrowser('chromium'), findBrowser('firefox')]);

/** What depends on time: to be run with one worker, or runs would measure each other. */
const measuring = ['**/run*.spec.ts', '**/cancel.spec.ts'];

function projectsOf({ name, launch }: FoundBrowser): Project[] {
  const use = { browserName: name, launchOptions: launch };
  return [
    { name: `measuring (${name})`, testMatch: measuring, use },
    { name: `page (${name})`, testIgnore: measuring, timeout: 75_000, use },
  ];
}

export default defineConfig({
  testDir: 'tests/e2e',
  workers: 2,
  timeout: 120_000,
  // Of what tests wait for, a busy machine may take its time.
  expect: { timeout: 15_000 },
  // A Firefox that is driven freezes a worker in about one of a hundred runs; a retry is listed as flaky.
  retries: 1,
  reporter: [['list']],
  // A service worker would answer in place of the routes that tests set; its own tests allow it.
  use: { baseURL: `http://127.0.0.1:${port}/`, serviceWorkers: 'block' },
  projects: browsers.flatMap(projectsOf),
  webServer: {
    command: `npx tsx tests/support/serve.ts ${port}`,
    url: `http://127.0.0.1:${port}/`,
    timeout: 120_000,
  },
});
