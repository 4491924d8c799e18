import type { Browser } from 'playwright';
import { configToQuery, devicesOf, type DeviceKind, type RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { RunRecord } from '../core/run/record.ts';

/** The page's app element, as far as the command line reads it. */
type AppElement = HTMLElement & { readonly record?: RunRecord };

interface DriveOptions {
  readonly url: string;
  readonly config: RunConfig;
  readonly onEvent: (event: RunEvent) => void;
  /** When it fires, the run is cancelled and what was measured is returned. */
  readonly signal: AbortSignal;
}

/**
 * Opens the page, presses Run as a person would and follows the run to its end. Resolves with the
 * record; throws when the page breaks or refuses the configuration.
 */
export async function driveRun(browser: Browser, options: DriveOptions): Promise<RunRecord> {
  const { url, config, onEvent, signal } = options;
  // Nothing is kept for later while it measures.
  const page = await browser.newPage({ serviceWorkers: 'block' });
  const finished = new Promise<void>((resolve, reject) => {
    page.on('pageerror', reject);
    page.on('crash', () => reject(new Error('the page crashed')));
    page.on('close', () => reject(new Error('the page was closed')));
    signal.addEventListener('abort', () => {
      // The Run button is back once the run has ended, also between two devices.
      const run = page.getByRole('button', { name: 'Run', exact: true });
      const cancelled = page.getByRole('button', { name: 'Cancel' }).click();
      cancelled.then(() => run.waitFor()).then(resolve, reject);
    });
    const running = new Set<DeviceKind>(devicesOf(config.device));
    const exposed = page.exposeFunction('rooftraceEvent', (event: RunEvent) => {
      onEvent(event);
      if (event.kind !== 'done') return;
      running.delete(event.device);
      if (running.size === 0) resolve();
    });
    exposed.catch(reject);
  });
  // A page that breaks while it is still opening is told by the await below, not as unhandled.
  finished.catch(() => undefined);
  await page.addInitScript(() => {
    const exposed = window as unknown as { rooftraceEvent(event: unknown): void };
    window.addEventListener('rooftrace:event', (event) =>
      exposed.rooftraceEvent((event as CustomEvent<unknown>).detail),
    );
  });
  await page.goto(`${url}?${configToQuery(config)}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await finished;
  const record = await page
    .locator('rooftrace-app')
    .evaluate((element) => (element as AppElement).record);
  if (record === undefined) throw new Error('the run finished without a record');
  return record;
}
