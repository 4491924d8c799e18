import { expect, test, type Page } from '@playwright/test';
import {
  cancelButton,
  eventCount,
  openApp,
  recordOf,
  runButton,
  waitForEvent,
} from './support/app-page.ts';
import { expectAccessible } from './support/axe.ts';

test('a paused run tells nothing until it is resumed', async ({ page }) => {
  await openApp(page, 'device=cpu&sweep=none');
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'cpu');
  await page.getByRole('button', { name: 'Pause' }).click();
  const resume = page.getByRole('button', { name: 'Resume' });
  await expect(resume).toBeVisible();
  // The measurement that was under way may still end.
  const silence = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        let timer = setTimeout(() => resolve(true), 1500);
        const deadline = setTimeout(() => resolve(false), 20_000);
        window.addEventListener('rooftrace:event', () => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            clearTimeout(deadline);
            resolve(true);
          }, 1500);
        });
      }),
  );
  expect(silence).toBe(true);
  await expectAccessible(page);
  const before = await eventCount(page);
  await resume.click();
  await expect.poll(() => eventCount(page), { timeout: 30_000 }).toBeGreaterThan(before);
  await cancelButton(page).click();
  await waitForEvent(page, 'done', 'cpu');
});

/** Resolves at the page's next event, or when it has told none for a while. */
function nextEvent(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.addEventListener('rooftrace:event', () => resolve(), { once: true });
        setTimeout(resolve, 3000);
      }),
  );
}

test('a skipped stage is left, and the run goes on to its end', async ({ page }) => {
  await openApp(page, 'device=cpu&sweep=none');
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'cpu');
  const skip = page.getByRole('button', { name: 'Skip this stage' });
  // Each press leaves one stage; there are a dozen at the most.
  for (let press = 0; press < 40 && (await skip.isVisible()); press += 1) {
    await skip.click({ timeout: 2000 }).catch(() => {});
    await nextEvent(page);
  }
  await waitForEvent(page, 'done', 'cpu');
  const { events } = await recordOf(page);
  expect(events.at(-1)).toEqual({ kind: 'done', device: 'cpu', cancelled: false });
  expect(events.some(({ kind }) => kind === 'failure')).toBe(false);
});

test('a run needs nothing but the keyboard', async ({ page }) => {
  await openApp(page, 'device=cpu');
  // Past the links to the views.
  const links = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').count();
  for (let stop = 0; stop <= links; stop += 1) await page.keyboard.press('Tab');
  await expect(runButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await waitForEvent(page, 'sample', 'cpu');
  await expect(cancelButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await waitForEvent(page, 'done', 'cpu');
  await expect(runButton(page)).toBeFocused();
});
