import type { RunConfig } from '../../core/run/config.ts';
import type { RunRecord } from '../../core/run/record.ts';
import { launchBrowser, type BrowserName } from '../browsers.ts';
import { driveRun } from '../drive.ts';
import { ProgressLine } from '../progress.ts';
import { serveBuiltApp } from '../serve.ts';

/** A run of the page, and how long it took. */
export interface TimedRun {
  readonly record: RunRecord;
  readonly seconds: number;
}

/**
 * Runs the page so many times in a row, each time on a new page of one profile of a browser: what a run
 * keeps there, the kernels that it chose, serves the next ones.
 */
export async function repeatedRuns(
  name: BrowserName,
  config: RunConfig,
  length: number,
): Promise<readonly TimedRun[]> {
  const app = await serveBuiltApp();
  const progress = new ProgressLine(process.stderr);
  const browser = await launchBrowser(name);
  const profile = await browser.newContext({ serviceWorkers: 'block' });
  const runs: TimedRun[] = [];
  try {
    while (runs.length < length) {
      const begin = performance.now();
      const record = await driveRun(profile, {
        url: app.url,
        config,
        signal: new AbortController().signal,
        onEvent: (event) => progress.show(event),
      });
      runs.push({ record, seconds: (performance.now() - begin) / 1000 });
    }
  } finally {
    await browser.close();
    progress.end();
    await app.close();
  }
  return runs;
}
