import type { Locator, Page } from '@playwright/test';
import type { RunProgress } from '../../../src/app/progress.ts';
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

/**
 * Skips each stage of a run under way whose name does not begin so, until one does. The page looks and
 * presses at once: a driver's press may come when another stage is shown.
 */
export function skipTo(page: Page, wanted: string): Promise<void> {
  return page.locator('rooftrace-progress').evaluate(
    (element, name) =>
      new Promise<void>((resolve, reject) => {
        const buttons = element
          .closest('rooftrace-run-controls')
          ?.shadowRoot?.querySelectorAll('button');
        const skip = [...(buttons ?? [])].find(({ textContent }) => textContent.includes('Skip'));
        let skipped = '';
        // A stage may be over before the page shows it.
        let begun = false;
        window.addEventListener('rooftrace:event', (event) => {
          const { detail } = event as CustomEvent<RunEvent>;
          begun ||= detail.kind === 'progress' && detail.stage.startsWith(name);
        });
        function look(): void {
          const stage = (element as HTMLElement & { progress?: RunProgress }).progress?.stage ?? '';
          if (begun || stage.startsWith(name)) {
            resolve();
            return;
          }
          if (!element.isConnected) {
            reject(new Error(`the run ended before ${name}`));
            return;
          }
          if (stage !== skipped) skip?.click();
          skipped = stage;
          requestAnimationFrame(look);
        }
        look();
      }),
    wanted,
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

/** Drops a file on the page, where it happens to be; whether the page kept it from taking its place. */
export function dropFile(page: Page, name: string, text: string): Promise<boolean> {
  return page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName, { type: 'application/json' }));
      const dragged = (type: string): boolean =>
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        );
      // Both are refused where somebody takes care of them.
      return !dragged('dragover') && !dragged('drop');
    },
    [name, text] as const,
  );
}

/** The pixels of a chart's canvas in a theme colour of the page: how many, and where the last is. */
interface FoundPixels {
  readonly count: number;
  /** In CSS pixels of the page. */
  readonly last: { readonly x: number; readonly y: number };
}

async function scanChart(page: Page, device: DeviceKind, property: string): Promise<FoundPixels> {
  const heading = page.getByRole('heading', { name: device.toUpperCase(), exact: true });
  const canvas = page.locator('rooftrace-panel').filter({ has: heading }).locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  return canvas.evaluate((element, name) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const wanted = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
    probe.remove();
    const { width, height } = element as HTMLCanvasElement;
    const image = (element as HTMLCanvasElement)
      .getContext('2d')
      ?.getImageData(0, 0, width, height);
    const box = element.getBoundingClientRect();
    let count = 0;
    let last = { x: 0, y: 0 };
    for (let index = 0; index < width * height; index += 1) {
      if (!wanted.every((value, channel) => image?.data[4 * index + channel] === value)) continue;
      count += 1;
      last = {
        x: box.left + ((index % width) / width) * box.width,
        y: box.top + (Math.floor(index / width) / height) * box.height,
      };
    }
    return { count, last };
  }, property);
}

/** How many pixels of a chart have a theme colour of the page. */
export async function pixelsOf(page: Page, device: DeviceKind, property: string): Promise<number> {
  return (await scanChart(page, device, property)).count;
}

/** Where on the page the lowest pixel of a theme colour is in a chart. */
export async function findPixel(
  page: Page,
  device: DeviceKind,
  property: string,
): Promise<FoundPixels['last']> {
  return (await scanChart(page, device, property)).last;
}

/**
 * Presses a save button and reads the file that the page hands to the browser, from its blob: not
 * every driver tells of downloads.
 */
export async function savedText(page: Page, button: string): Promise<string> {
  return (await savedFile(page, button, '')).toString('utf8');
}

/** The same, of the first blob of a media type. */
export async function savedFile(page: Page, button: string, type: string): Promise<Buffer> {
  const bytes = page.evaluate(
    (wanted) =>
      new Promise<string>((resolve) => {
        const create = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (object) => {
          if (object instanceof Blob && object.type.startsWith(wanted)) {
            URL.createObjectURL = create;
            const reader = new FileReader();
            reader.addEventListener('load', () => resolve(reader.result as string));
            reader.readAsDataURL(object);
          }
          return create(object);
        };
      }),
    type,
  );
  await page.getByRole('button', { name: button }).click();
  return Buffer.from((await bytes).split(',')[1] ?? '', 'base64');
}

/** How many events the page has told. */
export function eventCount(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as TestedWindow).rooftraceLog.length);
}

/** Opens what stands under a summary. */
export async function disclose(page: Page, summary: string): Promise<void> {
  await page.locator('summary').filter({ hasText: summary }).first().click();
}
