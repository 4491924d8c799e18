import { expect, test } from '@playwright/test';
import type { DeviceKind } from '../../src/core/run/config.ts';
import type { RunEvent } from '../../src/core/run/events.ts';
import {
  cancelButton,
  openApp,
  recordOf,
  runButton,
  skipTo,
  waitForEvent,
} from './support/app-page.ts';
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
