import { expect, test, type Page } from '@playwright/test';
import type { RunEvent } from '../../src/core/run/events.ts';
import {
  cancelButton,
  openApp,
  recordOf,
  runButton,
  skipTo,
  waitForEvent,
} from './support/app-page.ts';
import {
  beforeGpuWorker,
  breakableDevice,
  breakDevice,
  losableDevice,
  loseDevice,
  refusingDevice,
  withoutAdapter,
  withoutMemory,
  withoutWebGpu,
} from './support/broken-gpu.ts';
import { servePlainly } from './support/static-server.ts';

/** Resolves with the next event of a kind, from when it is called. */
async function nextEvent(page: Page, kind: RunEvent['kind']): Promise<void> {
  await page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        window.addEventListener('rooftrace:event', function look(event) {
          if ((event as CustomEvent<RunEvent>).detail.kind !== wanted) return;
          window.removeEventListener('rooftrace:event', look);
          resolve();
        });
      }),
    kind,
  );
}

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
  ['a GPU without memory', withoutMemory, 'out-of-memory', 'Close other pages'],
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

test('images out of reach: what was measured is kept, and the page says what to do', async ({
  page,
}) => {
  await page.route('**/data/**', (route) => route.abort());
  await openApp(page, 'device=cpu&sweep=batch');
  await runButton(page).click();
  const ceiling = page.locator('[data-ceiling]').first();
  await expect(ceiling).toBeVisible({ timeout: 30_000 });
  const note = page.locator('[data-failure=data][data-device=cpu]');
  await skipTo(page, 'training');
  await expect(note).toContainText('Check the connection');
  await waitForEvent(page, 'done', 'cpu');
  await expect(ceiling).toBeVisible();
});

test('a command that the browser refuses is told as our fault, and what was measured is kept', async ({
  page,
}) => {
  await beforeGpuWorker(page, breakableDevice);
  await openApp(page, 'device=gpu&sweep=none');
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'gpu');
  await breakDevice(page);
  const note = page.locator('[data-failure=validation][data-device=gpu]');
  await expect(note).toContainText('please report it');
  await note.locator('summary').click();
  await expect(note.locator('pre')).not.toBeEmpty();
  await waitForEvent(page, 'done', 'gpu');
  const { events } = await recordOf(page);
  expect(events.at(-1)).toEqual({ kind: 'done', device: 'gpu', cancelled: false });
  expect(events.some(({ kind }) => kind === 'sample')).toBe(true);
  await expect(runButton(page)).toBeVisible();
});

test('an insecure address is told apart from a browser without WebGPU', async ({ browser }) => {
  const server = await servePlainly('dist');
  // To the browser the proxy is any machine of the network.
  const context = await browser.newContext({ proxy: { server: server.url } });
  try {
    const page = await context.newPage();
    await openApp(page, 'device=gpu', 'http://rooftrace.test/');
    await expect(page.locator('[data-notice=insecure]')).toContainText('https');
    await expect(page.locator('[data-notice=isolation]')).toHaveCount(0);
    await runButton(page).click();
    await waitForEvent(page, 'done', 'gpu');
    await expect(page.locator('[data-failure=unsupported]')).toContainText('plain http');
  } finally {
    await context.close();
    server.close();
  }
});

test('a lost device is told, what was measured is kept, and the sweep goes on where it stopped', async ({
  page,
}) => {
  // Compiles the kernels of a network twice, which takes long beside other pages.
  test.setTimeout(150_000);
  await beforeGpuWorker(page, losableDevice);
  await openApp(page, 'device=gpu&sweep=batch');
  await runButton(page).click();
  const ceiling = page.locator('[data-ceiling]').first();
  await expect(ceiling).toBeVisible({ timeout: 60_000 });
  await skipTo(page, 'training');
  await waitForEvent(page, 'step', 'gpu');
  // A second device is opened by itself, and a third one is not.
  for (const until of ['environment', 'done'] as const) {
    const heard = nextEvent(page, until);
    await loseDevice(page);
    await heard;
  }
  const notes = page.locator('[data-failure=device-lost]');
  await expect(notes).toHaveCount(2);
  await expect(notes.first()).toContainText('lost');
  await expect(ceiling).toBeVisible();
  const before = await recordOf(page);
  expect(before.events.at(-1)).toEqual({ kind: 'done', device: 'gpu', cancelled: false });

  const step = nextEvent(page, 'step');
  await page.getByRole('button', { name: 'Go on where it stopped' }).click();
  await step;
  await cancelButton(page).click();
  await expect(runButton(page)).toBeVisible();
  const { events } = await recordOf(page);
  expect(events.slice(0, before.events.length)).toEqual(before.events);
  const good = events.flatMap((event) =>
    event.kind === 'step' && event.step.status === 'ok' ? [event.step.value] : [],
  );
  // The values that were measured are not measured again before the others are.
  expect(good.length).toBeGreaterThan(1);
  expect(new Set(good).size).toBe(good.length);
});

test('without isolation threads measure apart and replicas train, and the page says so', async ({
  page,
}) => {
  const server = await servePlainly('dist');
  try {
    await openApp(page, 'device=cpu&sweep=batch,replicas', server.url);
    const notice = page.locator('[data-notice=isolation]');
    await expect(notice).toContainText('share no memory');
    await expect(notice).toContainText('one process trains on one thread; replicas train on all');
    await runButton(page).click();
    const threads = await waitForAllThreads(page);
    const trained = waitForReplicas(page, threads);
    await skipTo(page, 'training');
    await trained;
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

/** Waits for a good step of as many replicas, of one thread each. */
function waitForReplicas(page: Page, replicas: number): Promise<void> {
  return page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        window.addEventListener('rooftrace:event', (event) => {
          const { detail } = event as CustomEvent<RunEvent>;
          if (detail.kind !== 'step' || detail.step.status !== 'ok') return;
          const { replicas: own = 1, threads } = detail.step;
          if (own === wanted && threads === 1) resolve();
        });
      }),
    replicas,
  );
}

test('an engine that refuses relaxed SIMD measures with the other build, and the record says so', async ({
  page,
}) => {
  // A module that ends in its header is not valid; the engine refuses it as it would an unknown instruction.
  await page.route(/relaxed-simd[^/]*\.wasm$/, (route) =>
    route.fulfill({ contentType: 'application/wasm', body: Buffer.from('\0asm\u0001') }),
  );
  await openApp(page, 'device=cpu&sweep=none');
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'cpu');
  await cancelButton(page).click();
  await waitForEvent(page, 'done', 'cpu');
  const { events } = await recordOf(page);
  expect(events.find((event) => event.kind === 'environment')?.environment).toMatchObject({
    device: 'cpu',
    module: 'simd',
  });
  expect(events.some(({ kind }) => kind === 'failure')).toBe(false);
  await expect(page.locator('[data-failure]')).toHaveCount(0);
});

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
