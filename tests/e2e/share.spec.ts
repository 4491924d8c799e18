import { expect, test, type Page } from '@playwright/test';
import jsQR from 'jsqr';
import { parseRecord, recordToJson } from '../../src/core/run/codec.ts';
import { longestLink } from '../../src/core/run/link.ts';
import { summary } from '../../src/core/run/summary.ts';
import { sampleRecord } from '../support/sample-record.ts';
import { readSeries } from '../support/svg-series.ts';
import {
  eventCount,
  openApp,
  openFile,
  recordOf,
  savedFile,
  savedText,
  tableTexts,
} from './support/app-page.ts';

async function openSample(page: Page): Promise<void> {
  await openApp(page);
  await openFile(page, 'run.json', recordToJson(sampleRecord));
  await page.locator('[data-notice=opened]').waitFor();
}

/** The link that the share dialog shows. */
async function sharedLink(page: Page): Promise<string> {
  const link = page.getByRole('textbox', { name: 'Link' });
  await expect(link).toHaveValue(/#r=/);
  return link.inputValue();
}

test('a full link opens in a fresh profile, at once and without measuring', async ({
  page,
  browser,
}) => {
  await openSample(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('the laptop upstairs');
  await expect(page.locator('[data-preview]')).toContainText('Name: the laptop upstairs');
  const link = await sharedLink(page);
  expect(link.split('#r=')[1]?.length).toBeLessThanOrEqual(longestLink.full);
  const shown = await page.locator('[data-preview] li').allInnerTexts();
  expect(shown.join(' ')).toContain('GPU: training step of resnet8 over batch, 6 points');

  const fresh = await browser.newContext();
  const other = await fresh.newPage();
  await openApp(other, '', link);
  const notice = other.locator('[data-notice=shared]');
  await expect(notice).toContainText("somebody else's run");
  await expect(notice).toContainText('the laptop upstairs');
  await expect(other.locator('[data-trajectory=gpu-batch] tbody tr')).toHaveCount(6);
  const texts = await tableTexts(other);
  expect(texts).toContain('4.10 GB/s');
  expect(texts).toContain('13.9 FLOP/byte');
  expect(await eventCount(other)).toBe(0);
  await fresh.close();
});

test('the QR code of a card decodes to its link', async ({ page }) => {
  await openSample(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('radio', { name: /card/ }).check();
  const code = page.getByRole('img', { name: 'QR code of the link' });
  await code.waitFor();
  const link = await sharedLink(page);
  expect(link.split('#r=')[1]?.length).toBeLessThanOrEqual(longestLink.card);
  const pixels = await code.evaluate(async (svg) => {
    const size = 3 * Number(svg.getAttribute('viewBox')?.split(' ')[2]);
    const text = new XMLSerializer().serializeToString(svg);
    const image = new Image(size, size);
    image.src = `data:image/svg+xml,${encodeURIComponent(text.replace('<svg', `<svg width="${size}" height="${size}"`))}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = size;
    canvas.height = size;
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0, size, size);
    return { data: [...(context?.getImageData(0, 0, size, size).data ?? [])], size };
  });
  const { data, size } = pixels;
  expect(jsQR(Uint8ClampedArray.from(data), size, size)?.data).toBe(link);
});

test('a link that was cut off is refused with its cause', async ({ page }) => {
  await openApp(page, '', '/#r=eJyVk09vGjEQ');
  const notice = page.locator('[data-notice=link]');
  await expect(notice).toContainText('could not be read');
  await expect(notice).toContainText('the whole link');
  await expect(page.locator('[data-ceiling]')).toHaveCount(0);
});

/** A PNG of the charts, looked at where the SVG of them says that something is. */
interface Picture {
  readonly size: readonly [width: number, height: number];
  /** Of each line the share of its places where its colour is: labels and marks may lie on it. */
  readonly lines: readonly { readonly name: string; readonly found: number }[];
  /** Of each text the share of its box that is not as the picture's ground. */
  readonly texts: readonly { readonly text: string; readonly ink: number }[];
}

function seen(page: Page, svg: string, png: Buffer): Promise<Picture> {
  return page.evaluate(
    async ([drawing, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      const colorAt = (x: number, y: number): string =>
        data.slice(4 * (y * width + x), 4 * (y * width + x) + 3).join(',');

      const host = document.createElement('div');
      host.innerHTML = drawing;
      document.body.append(host);
      const root = host.querySelector('svg')!;
      const sharpness = width / root.viewBox.baseVal.width;
      /** The pixel of a point of an element's own coordinates. */
      const pixel = (element: SVGGraphicsElement, x: number, y: number): [number, number] => {
        const at = new DOMPoint(x, y).matrixTransform(element.getCTM()!);
        return [Math.floor(at.x * sharpness), Math.floor(at.y * sharpness)];
      };
      const lines = [...root.querySelectorAll<SVGPolylineElement>('[data-series]')].map((line) => {
        const places = Array.from({ length: 50 }, (_, index) =>
          line.getPointAtLength(((index + 0.5) / 50) * line.getTotalLength()),
        );
        const color = (getComputedStyle(line).stroke.match(/\d+/g) ?? []).join(',');
        const hits = places.filter(({ x, y }) => colorAt(...pixel(line, x, y)) === color);
        return { name: line.dataset['series'] ?? '', found: hits.length / places.length };
      });
      const ground = colorAt(1, 1);
      const texts = [...root.querySelectorAll<SVGTextElement>('text')].map((text) => {
        const box = text.getBBox();
        const [left, top] = pixel(text, box.x, box.y);
        const [right, bottom] = pixel(text, box.x + box.width, box.y + box.height);
        let inked = 0;
        let all = 0;
        for (let y = Math.min(top, bottom); y < Math.max(top, bottom); y += 1)
          for (let x = Math.min(left, right); x < Math.max(left, right); x += 1) {
            all += 1;
            if (colorAt(x, y) !== ground) inked += 1;
          }
        return { text: text.textContent, ink: inked / all };
      });
      host.remove();
      return { size: [width, height] as const, lines, texts };
    },
    [svg, png.toString('base64')] as const,
  );
}

test('every export reads back to the numbers of the page', async ({ page }) => {
  await openSample(page);
  const { rooflines, trajectories } = summary(sampleRecord);

  const svg = await savedText(page, 'Save charts as SVG');
  const batch = trajectories.find(({ parameter }) => parameter === 'batch');
  const read = readSeries(svg, 'gpu batch');
  expect(read).toHaveLength(batch?.points.length ?? -1);
  for (const [index, point] of (batch?.points ?? []).entries()) {
    expect((read[index]?.[0] ?? 0) / point.intensity).toBeCloseTo(1, 3);
    expect((read[index]?.[1] ?? 0) / point.flopsPerSecond).toBeCloseTo(1, 3);
  }
  // The other lines are each device's two roofs.
  for (const device of ['gpu', 'cpu'] as const) {
    const [whole] = rooflines
      .filter((roofline) => roofline.device === device)
      .toSorted((a, b) => (b.threads ?? 0) - (a.threads ?? 0));
    for (const roof of [whole?.compute[0], whole?.bandwidth.at(-1)]) {
      const ends = readSeries(svg, `${device} ${roof?.id}`);
      expect(ends).toHaveLength(2);
      for (const [intensity, rate] of ends) {
        const value = roof?.unit === 'byte/s' ? rate / intensity : rate;
        expect(value / (roof?.value ?? 1)).toBeCloseTo(1, 3);
      }
    }
  }
  expect(svg.match(/data-series=/g)).toHaveLength(5);
  expect(svg).toContain('SwiftShader');
  expect(svg).toContain('Rooftrace 0.0.0');
  expect(svg).toContain('2026-01-31');
  // An XML parser takes it as it is.
  const problem = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror'),
    svg,
  );
  expect(problem).toBeNull();

  const png = await savedFile(page, 'Save charts as PNG', 'image/png');
  const picture = await seen(page, svg, png);
  expect(picture.size).toEqual([2 * 2 * 640, 2 * 540]);
  expect(picture.lines).toHaveLength(5);
  for (const { name, found } of picture.lines) expect(found, name).toBeGreaterThan(0.2);
  expect(picture.texts.map(({ text }) => text).join(' ')).toMatch(
    /SwiftShader.* Rooftrace 0\.0\.0.*2026-01-31/,
  );
  for (const { text, ink } of picture.texts) expect(ink, text).toBeGreaterThan(0.02);

  const csv = await savedText(page, 'Save samples as CSV');
  const times = sampleRecord.events.flatMap((event) =>
    event.kind === 'sample' ? [event.sample.seconds] : [],
  );
  const [, ...rows] = csv.trimEnd().split('\r\n');
  // After a row's times come date, version and browser, none of them with a comma.
  const readTimes = rows.map((row) => row.split(',').at(-4)?.split(' ').map(Number));
  expect(readTimes).toEqual(times);
  expect(csv).toContain(sampleRecord.startedAt);

  const pictures = () =>
    page
      .locator('rooftrace-run-charts')
      .evaluate((charts) => (charts as HTMLElement & { pictures?: unknown }).pictures);
  const before = await pictures();
  const json = await savedText(page, 'Save as JSON');
  expect(parseRecord(json)).toEqual({ kind: 'ok', value: sampleRecord });
  await openFile(page, 'again.json', json);
  await expect(page.locator('[data-notice=opened]')).toContainText('again.json');
  expect(await pictures()).toEqual(before);
  expect(await recordOf(page)).toEqual(sampleRecord);
});
