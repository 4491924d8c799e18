import { expect, test, type Page } from '@playwright/test';
import { cancelButton, openApp, recordOf, runButton, waitForEvent } from './support/app-page.ts';

/** Measures the CPU until it has told something, and cancels. */
async function measureALittle(page: Page): Promise<void> {
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'cpu');
  await cancelButton(page).click();
  await waitForEvent(page, 'done', 'cpu');
  await expect(page.locator('[data-notice=partial]')).toBeVisible();
}

/** How many samples the browser has kept, read past the page. */
function storedSamples(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('rooftrace');
        opening.addEventListener('success', () => {
          const database = opening.result;
          const reading = database.transaction('events').objectStore('events').getAll();
          reading.addEventListener('success', () => {
            database.close();
            const pieces = reading.result as { events: readonly { kind: string }[] }[];
            const events = pieces.flatMap((piece) => piece.events);
            resolve(events.filter(({ kind }) => kind === 'sample').length);
          });
        });
      }),
  );
}

test('a reload in the middle of a run loses nothing that was measured', async ({ page }) => {
  await openApp(page, 'device=cpu');
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'cpu');
  await expect.poll(() => storedSamples(page)).toBeGreaterThan(0);
  const before = await storedSamples(page);
  await page.reload();
  await expect(page.locator('[data-notice=restored]')).toBeVisible();
  await expect(page.locator('[data-notice=partial]')).toContainText('closed or reloaded');
  const { events } = await recordOf(page);
  const kept = events.filter(({ kind }) => kind === 'sample');
  expect(kept.length).toBeGreaterThanOrEqual(before);
  await expect(runButton(page)).toBeEnabled();
});

test('runs are listed, named, opened and deleted', async ({ page }) => {
  await openApp(page, 'device=cpu');
  await measureALittle(page);
  const record = await recordOf(page);
  await page.getByText('1 run kept by this browser').click();
  const item = page.locator('[data-run]');
  await expect(item).toContainText('partial');
  await item.getByRole('button', { name: /^Rename/ }).click();
  await page.getByRole('textbox', { name: 'Name of the run' }).fill('my laptop');
  await page.keyboard.press('Enter');
  await expect(item).toContainText('my laptop');
  await page.reload();
  await expect(page.locator('[data-notice=restored]')).toBeVisible();
  expect(await recordOf(page)).toEqual({ ...record, label: 'my laptop' });
  await page.getByText('1 run kept by this browser').click();
  await item.getByRole('button', { name: /^Open/ }).click();
  await expect(page.locator('[data-notice=opened]')).toContainText('my laptop');
  await item.getByRole('button', { name: /^Delete/ }).click();
  await expect(item).toHaveCount(0);
  await page.reload();
  await expect(runButton(page)).toBeVisible();
  await expect(page.locator('[data-notice=restored]')).toHaveCount(0);
});

test('where the browser forbids storage the page says so, and measures all the same', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  });
  await openApp(page, 'device=cpu');
  await expect(page.locator('[data-notice=storage]')).toContainText('keeps no runs');
  await measureALittle(page);
  await expect(page.locator('[data-ceiling]').first()).toBeVisible();
});
