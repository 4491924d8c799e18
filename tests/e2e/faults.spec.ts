import { expect, test, type Page } from '@playwright/test';
import type { RunEvent } from '../../src/core/run/events.ts';
import { cancelButton, openApp, recordOf, runButton, waitForEvent } from './support/app-page.ts';
import {
  beforeGpuWorker,
  losableDevice,
  loseDevice,
  refusingDevice,
  withoutAdapter,
  withoutWebGpu,
} from './support/broken-gpu.ts';
import { servePlainly } from './support/static-server.ts';

/** Runs both devices until the CPU has measured something: it must not care about the GPU. */
async function runUntilCpu(page: Page): Promise<void> {
  await openApp(page);
  await runButton(page).click();
  await waitForEvent(page, 'failure', 'gpu');
  await waitForEvent(page, 'done', 'gpu');
  await waitForEvent(page, 'sample', 'cpu');
  await cancelButton(page).click();
  await waitForEvent(page, 'done', 'cpu');
}

for (const [name, script, kind, word] of [
  ['no WebGPU', withoutWebGpu, 'unsupported', 'WebGPU'],
  ['a null adapter', withoutAdapter, 'adapter-null', 'adapter'],
  ['a refused device', refusingDevice, 'device-refused', 'refused'],
] as const) {
  test(`${name}: the page says why and what to do, and the CPU is measured`, async ({ page }) => {
    await beforeGpuWorker(page, script);
    await runUntilCpu(page);
    const note = page.locator(`[data-failure=${kind}][data-device=gpu]`);
    await expect(note).toContainText(word);
    await expect(page.locator('[data-ceiling]').first()).toBeVisible();
  });
}

test('a GPU worker that cannot load is a failure, and the CPU is measured', async ({ page }) => {
  await page.route(/gpu\.worker[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  await runUntilCpu(page);
  await expect(page.locator('[data-failure=worker][data-device=gpu]')).toBeVisible();
});

test('a lost device is told, and what was measured is kept', async ({ page }) => {
  await beforeGpuWorker(page, losableDevice);
  await openApp(page, 'device=gpu');
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'gpu');
  await loseDevice(page);
  await waitForEvent(page, 'done', 'gpu');
  await expect(page.locator('[data-failure=device-lost]')).toContainText('lost');
  await expect(page.locator('[data-ceiling]').first()).toBeVisible();
  const { events } = await recordOf(page);
  expect(events.at(-1)).toEqual({ kind: 'done', device: 'gpu', cancelled: false });
  await expect(runButton(page)).toBeVisible();
});

test('without isolation threads measure apart, and the page says so', async ({ page }) => {
  const server = await servePlainly('dist');
  try {
    await openApp(page, 'device=cpu', server.url);
    const notice = page.locator('[data-notice=isolation]');
    await expect(notice).toContainText('share no memory');
    await expect(notice).toContainText('one process trains on one thread; replicas train on all');
    await runButton(page).click();
    const threads = await waitForAllThreads(page);
    await cancelButton(page).click();
    await waitForEvent(page, 'done', 'cpu');
    const { events } = await recordOf(page);
    const environment = events.find((event) => event.kind === 'environment')?.environment;
    expect(environment).toMatchObject({
      device: 'cpu',
      isolated: false,
      sharedMemory: false,
      threads,
    });
  } finally {
    server.close();
  }
});

/** Waits for a good sample of all logical cores, and says how many those are. */
function waitForAllThreads(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const threads = navigator.hardwareConcurrency;
        window.addEventListener('rooftrace:event', (event) => {
          const { detail } = event as CustomEvent<RunEvent>;
          if (detail.kind !== 'sample' || detail.sample.status !== 'ok') return;
          if (detail.sample.threads === threads) resolve(threads);
        });
      }),
  );
}

/** Makes the page believe that it was hidden, or seen again. */
function hide(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test('a run waits while the tab is hidden; what it was measuring then is refused', async ({
  page,
}) => {
  await openApp(page, 'device=cpu&sweep=none');
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'cpu');
  await hide(page, true);
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await hide(page, false);
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(page.locator('[data-notice=hidden]')).toContainText('hidden', { timeout: 30_000 });
  await cancelButton(page).click();
  await waitForEvent(page, 'done', 'cpu');
  const { events } = await recordOf(page);
  const refused = events.filter(
    (event) => event.kind === 'sample' && event.sample.reason?.includes('hidden'),
  );
  expect(refused.length).toBeGreaterThan(0);
});

test('a bad value in the address is named, and the rest of the address holds', async ({ page }) => {
  await openApp(page, 'profile=fast&device=cpu&utm_source=x');
  const notice = page.locator('[data-notice=address]');
  await expect(notice).toContainText("profile: 'fast'");
  await expect(notice).toContainText('quick, full');
  await expect(page.getByRole('radio', { name: 'Quick' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'CPU' })).toBeChecked();
  await page.getByRole('radio', { name: 'Full' }).check();
  const query = Object.fromEntries(new URL(page.url()).searchParams);
  expect(query).toEqual({ profile: 'full', device: 'cpu', utm_source: 'x' });
});
