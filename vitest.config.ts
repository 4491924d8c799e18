import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { findBrowser } from './src/cli/browsers.ts';

const [chromium, firefox] = await Promise.all([findBrowser('chromium'), findBrowser('firefox')]);

/**
 * Lanes of a workgroup: exhaustive runs make the kernels' tests with each of them, in one run a size,
 * for the browsers of all projects of a run start at once.
 */
const workgroupSizes = [32, 64, 128, 256];
const kernelsOfAnySize = ['head', 'branches', 'batchNorm', 'convolution'].map(
  (file) => `tests/kernels/nn/${file}.test.ts`,
);

/** Lets tests see at once what a page and its workers keep in memory. */
const memoryFlags = ['--js-flags=--expose-gc', '--enable-blink-features=ForceEagerMeasureMemory'];
const chromiumLaunch = {
  ...chromium.launch,
  args: [...(chromium.launch.args ?? []), ...memoryFlags],
};

/** Tests that run in both browsers, each with its software GPU. */
function inBrowsers(
  name: string,
  include: string[],
  workgroupSize?: number,
): TestProjectInlineConfiguration {
  return {
    // As the app is served: without isolation there is no shared memory, and so no threads.
    server: {
      headers: {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      },
    },
    test: {
      name,
      include,
      ...(workgroupSize !== undefined && { provide: { workgroupSize } }),
      testTimeout: 120_000,
      // What depends on time may fail while another program holds the cores; what is wrong fails twice.
      retry: 1,
      // Two software GPUs on two cores: side by side they only slow each other.
      fileParallelism: false,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        instances: [
          { browser: 'chromium', provider: playwright({ launchOptions: chromiumLaunch }) },
          { browser: 'firefox', provider: playwright({ launchOptions: firefox.launch }) },
        ],
      },
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          testTimeout: 60_000,
          maxWorkers: availableParallelism(),
        },
      },
      inBrowsers('kernels', ['tests/kernels/**/*.test.ts']),
      inBrowsers('exhaustive', ['tests/exhaustive/**/*.test.ts']),
      ...workgroupSizes.map((size) =>
        inBrowsers(`exhaustive, ${size} lanes`, kernelsOfAnySize, size),
      ),
    ],
  },
});
