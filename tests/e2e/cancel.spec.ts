import { expect, test } from '@playwright/test';
import type { DeviceKind } from '../../src/core/run/config.ts';
import type { RunEvent } from '../../src/core/run/events.ts';
import { cancelButton, openApp, recordOf, runButton, waitForEvent } from './support/app-page.ts';
import { clickTimes, watchClicks } from './support/watch.ts';

const cases: readonly {
  readonly device: DeviceKind;
  readonly after: RunEvent['kind'];
  readonly stage: string;
}[] = [
  { device: 'gpu', after: 'sample', stage: 'the GPU probes' },
  { device: 'gpu', after: 'step', stage: 'GPU training' },
  { device: 'cpu', after: 'sample', stage: 'the CPU probes' },
];

for (const { device, after, stage } of cases) {
  test(`cancel during ${stage} takes effect within 0.5 s and keeps what was measured`, async ({
    page,
  }) => {
    await watchClicks(page);
    await openApp(page, `device=${device}`);
    await runButton(page).click();
    await waitForEvent(page, after, device);
    await cancelButton(page).click();
    const done = await waitForEvent(page, 'done', device);
    const cancelled = (await clickTimes(page)).at(-1) ?? Infinity;
    expect(done - cancelled).toBeLessThan(500);
    await expect(runButton(page)).toBeVisible();
    const { events } = await recordOf(page);
    expect(events.some(({ kind }) => kind === after)).toBe(true);
    expect(events.at(-1)).toEqual({ kind: 'done', device, cancelled: true });
  });
}

test('a run needs nothing but the keyboard', async ({ page }) => {
  await openApp(page, 'device=cpu');
  // Past the links to the views.
  for (let stop = 0; stop < 4; stop += 1) await page.keyboard.press('Tab');
  await expect(runButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await waitForEvent(page, 'sample', 'cpu');
  await expect(cancelButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await waitForEvent(page, 'done', 'cpu');
  await expect(runButton(page)).toBeFocused();
});
