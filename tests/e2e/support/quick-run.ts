import { test as base, type Page } from '@playwright/test';
import type { RunRecord } from '../../../src/core/run/record.ts';
import { openApp, recordOf, runButton, waitForEvent } from './app-page.ts';
import { frameGaps, longTasks, pageTime, watchResponsiveness } from './watch.ts';

/** A quick run of both devices that was measured from its button to its end. */
export interface QuickRun {
  /** The page that measured it, as the run left it. */
  readonly page: Page;
  readonly record: RunRecord;
  /** From the button to the first sample. */
  readonly firstSampleSeconds: number;
  /** While it measured, in milliseconds: tasks over 50 ms, where the browser tells them. */
  readonly longTasks: readonly number[];
  /** The same of gaps between animation frames, longest first. */
  readonly frameGaps: readonly number[];
}

/** Tests of one quick run: it is measured once a browser, and again after a test that failed. */
export const test = base.extend<object, { readonly quickRun: QuickRun }>({
  quickRun: [
    async ({ browser }, use, { project }) => {
      const { baseURL, serviceWorkers } = project.use;
      const context = await browser.newContext({
        ...(baseURL !== undefined && { baseURL }),
        ...(serviceWorkers !== undefined && { serviceWorkers }),
      });
      const page = await context.newPage();
      await watchResponsiveness(page);
      await openApp(page);
      const start = await pageTime(page);
      await runButton(page).click();
      await waitForEvent(page, 'done', 'gpu');
      const end = await waitForEvent(page, 'done', 'cpu');
      const firstSample = await waitForEvent(page, 'sample', 'gpu');
      const hasLongTasks = browser.browserType().name() === 'chromium';
      await use({
        page,
        record: await recordOf(page),
        firstSampleSeconds: (firstSample - start) / 1000,
        longTasks: hasLongTasks ? await longTasks(page, start, end) : [],
        frameGaps: await frameGaps(page, start, end),
      });
      await context.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});
