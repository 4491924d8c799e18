import { expect, test, type Page } from '@playwright/test';
import type { DeviceKind } from '../../src/core/run/config.ts';
import type { RunEvent } from '../../src/core/run/events.ts';
import {
  cancelButton,
  eventCount,
  openApp,
  recordOf,
  runButton,
  skipTo,
  waitForEvent,
} from './support/app-page.ts';
import { expectAccessible } from './support/axe.ts';
import { clickTimes, watchClicks } from './support/watch.ts';

const cases: readonly {
  readonly device: DeviceKind;
  readonly after: RunEvent['kind'];
  readonly stage: 'probes' | 'training';
}[] = [
  { device: 'gpu', after: 'sample', stage: 'probes' },
  { device: 'gpu', after: 'step', stage: 'training' },
  { device: 'cpu', after: 'sample', stage: 'probes' },
  { device: 'cpu', after: 'step', stage: 'training' },
];

for (const { device, after, stage } of cases) {
  test(`cancel during the ${device.toUpperCase()}'s ${stage} takes effect within 0.5 s and keeps what was measured`, async ({
    page,
  }) => {
    await watchClicks(page);
    await openApp(page, `device=${device}`);
    await runButton(page).click();
    if (stage === 'training') await skipTo(page, 'training');
    await waitForEvent(page, after, device);
    await cancelButton(page).click();
    const done = await waitForEvent(page, 'done', device);
    const cancelled = (await clickTimes(page)).at(-1) ?? Infinity;
    expect(done - cancelled).toBeLessThan(500);
    await expect(runButton(page)).toBeVisible();
    const { events } = await recordOf(page);
    expect(events.some(({ kind }) => kind === after)).toBe(true);
    expect(events.at(-1)).toEqual({ kind: 'done', device, cancelled: true });
    await expect(page.locator('[data-notice=partial]')).toContainText('cancelled');
  });
}

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
