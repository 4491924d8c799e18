import type { Browser } from 'playwright';
import { configToQuery, devicesOf, type DeviceKind, type RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { RunRecord } from '../core/run/record.ts';

/** The page's app element, as far as the command line reads it. */
type AppElement = HTMLElement & { readonly record?: RunRecord };

interface DriveOptions {
  readonly url: string;
  readonly config: RunConfig;
  /** Presses Tune after the run, whose record keeps what that finds. */
  readonly tune?: boolean;
  readonly onEvent: (event: RunEvent) => void;
  /** When it fires, the run is cancelled and what was measured is returned. */
  readonly signal: AbortSignal;
}

/** No button was pressed yet. */
function nobodyWaits(): void {}

/**
 * Opens the page in a browser, or in one profile of it, presses Run as a person would and follows the
 * run to its end. Resolves with the record; throws when the page breaks or refuses the configuration.
 */
export async function driveRun(
  browser: Pick<Browser, 'newPage'>,
  options: DriveOptions,
): Promise<RunRecord> {
  const { url, config, tune = false, onEvent, signal } = options;
  // Nothing is kept for later while it measures.
  const page = await browser.newPage({ serviceWorkers: 'block' });
  let done: (device: DeviceKind) => void = nobodyWaits;
  const broken = new Promise<never>((_, reject) => {
    page.on('pageerror', reject);
    page.on('crash', () => reject(new Error('the page crashed')));
    page.on('close', () => reject(new Error('the page was closed')));
  });
  // The Run button is back once the run has ended, also between two devices.
  const run = page.getByRole('button', { name: 'Run', exact: true });
  const cancelled = new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => {
      const pressed = page.getByRole('button', { name: 'Cancel' }).click();
      pressed.then(() => run.waitFor()).then(resolve, reject);
    });
  });
  /** Presses a button, and waits until all devices have done what it asks for. */
  const follow = async (name: string): Promise<void> => {
    const running = new Set<DeviceKind>(devicesOf(config.device));
    const finished = new Promise<void>((resolve) => {
      done = (device) => {
        running.delete(device);
        if (running.size === 0) resolve();
      };
    });
    await run.waitFor();
    await page.getByRole('button', { name, exact: true }).click();
    await Promise.race([finished, cancelled, broken]);
  };
  // A page that breaks while it is still opening is told by the await below, not as unhandled.
  for (const promise of [broken, cancelled]) promise.catch(() => undefined);
  await page.exposeFunction('rooftraceEvent', (event: RunEvent) => {
    onEvent(event);
    if (event.kind === 'done') done(event.device);
  });
  await page.addInitScript(() => {
    const exposed = window as unknown as { rooftraceEvent(event: unknown): void };
    window.addEventListener('rooftrace:event', (event) =>
      exposed.rooftraceEvent((event as CustomEvent<unknown>).detail),
    );
  });
  await page.goto(`${url}?${configToQuery(config)}`);
  await follow('Run');
  if (tune && !signal.aborted) await follow('Tune');
  const record = await page
    .locator('rooftrace-app')
    .evaluate((element) => (element as AppElement).record);
  if (record === undefined) throw new Error('the run finished without a record');
  return record;
}
