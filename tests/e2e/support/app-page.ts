import type { Locator, Page } from '@playwright/test';
import type { DeviceKind } from '../../../src/core/run/config.ts';
import type { RunEvent } from '../../../src/core/run/events.ts';
import type { RunRecord } from '../../../src/core/run/record.ts';

/** What the init script below leaves on the page. */
interface TestedWindow {
  rooftraceLog: { readonly kind: string; readonly device: string; readonly time: number }[];
}

/** An event's kind, and its device at the top or one level down. */
type LoggedEvent = Partial<
  Record<'environment' | 'sample' | 'step' | 'failure', { readonly device: string }>
> & { readonly kind: string; readonly device: string };

/** Opens the app at a query such as `device=cpu` and keeps a log of its events. */
export async function openApp(page: Page, query = '', base = ''): Promise<void> {
  await page.addInitScript(() => {
    const tested = window as unknown as TestedWindow;
    tested.rooftraceLog = [];
    window.addEventListener('rooftrace:event', (event) => {
      const { detail } = event as CustomEvent<LoggedEvent>;
      const told = detail.environment ?? detail.sample ?? detail.step ?? detail.failure ?? detail;
      const { device } = told;
      tested.rooftraceLog.push({ kind: detail.kind, device, time: performance.now() });
    });
  });
  await page.goto(`${base || '/'}${query === '' ? '' : `?${query}`}`);
  await runButton(page).waitFor();
}

export function runButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Run', exact: true });
}

export function cancelButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Cancel' });
}

/**
 * Waits for the first event of a kind, past or to come, and resolves with the page's time of it.
 * Nothing polls while the page measures.
 */
export function waitForEvent(
  page: Page,
  kind: RunEvent['kind'],
  device: DeviceKind,
): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        function look(): void {
          const found = (window as unknown as TestedWindow).rooftraceLog.find(
            (entry) => entry.kind === wanted.kind && entry.device === wanted.device,
          );
          if (!found) return;
          window.removeEventListener('rooftrace:event', look);
          resolve(found.time);
        }
        window.addEventListener('rooftrace:event', look);
        look();
      }),
    { kind, device },
  );
}

/** The record that the page holds now. */
export async function recordOf(page: Page): Promise<RunRecord> {
  const record = await page
    .locator('rooftrace-app')
    .evaluate((element) => (element as HTMLElement & { record?: RunRecord }).record);
  if (!record) throw new Error('the page has no record');
  return record;
}

/** The text of every table, cell by cell. */
export function tableTexts(page: Page): Promise<readonly string[]> {
  return page.locator('table td, table th').allInnerTexts();
}

/** Chooses a file in the page's file input. */
export async function openFile(page: Page, name: string, text: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
}

/** The number of pixels of a chart's canvas whose colour is a theme colour of the page. */
export function pixelsOf(page: Page, device: DeviceKind, property: string): Promise<number> {
  const panel = page.locator('rooftrace-panel').filter({
    has: page.getByRole('heading', { name: device.toUpperCase(), exact: true }),
  });
  return panel.locator('canvas').evaluate((canvas, name) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const [red, green, blue] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
    probe.remove();
    const { width, height } = canvas as HTMLCanvasElement;
    const data = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height);
    let count = 0;
    for (let index = 0; index < (data?.data.length ?? 0); index += 4)
      if (
        data?.data[index] === red &&
        data?.data[index + 1] === green &&
        data?.data[index + 2] === blue
      )
        count += 1;
    return count;
  }, property);
}

/**
 * Presses a save button and reads the file that the page hands to the browser, from its blob: not
 * every driver tells of downloads.
 */
export async function savedText(page: Page, button: string): Promise<string> {
  const text = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const create = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (object) => {
          URL.createObjectURL = create;
          if (object instanceof Blob) void object.text().then(resolve);
          return create(object);
        };
      }),
  );
  await page.getByRole('button', { name: button }).click();
  return text;
}
