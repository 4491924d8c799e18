import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type { RunRecord } from '../../src/core/run/record.ts';
import {
  cancelButton,
  disclose,
  openApp,
  recordOf,
  runButton,
  skipTo,
  waitForEvent,
} from './support/app-page.ts';
import { servePlainly } from './support/static-server.ts';

test.use({ serviceWorkers: 'allow' });

/** What the page says of itself; undefined while it is being loaded again. */
function ask<T>(page: Page, question: () => T | Promise<T>): Promise<T | undefined> {
  return page.evaluate(question).catch(() => undefined);
}

function isIsolated(): boolean {
  return crossOriginIsolated;
}

function isControlled(): boolean {
  return navigator.serviceWorker.controller !== null;
}

/** Counts the documents that the page loads. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => (loads += 1));
  return () => loads;
}

/** Measures until the CPU's threads have given a sample; whether they shared memory. */
async function measuresWithSharedMemory(page: Page): Promise<boolean> {
  await runButton(page).click();
  await waitForEvent(page, 'sample', 'cpu');
  await cancelButton(page).click();
  await waitForEvent(page, 'done', 'cpu');
  return sharedMemory(await recordOf(page));
}

function sharedMemory({ events }: RunRecord): boolean {
  const environment = events.find((event) => event.kind === 'environment')?.environment;
  return environment?.device === 'cpu' && environment.sharedMemory;
}

test('static hosting becomes isolated after one reload, and works with the server stopped', async ({
  page,
}) => {
  const server = await servePlainly('dist', '/some/path/');
  try {
    const loads = countLoads(page);
    await openApp(page, 'device=cpu', server.url);
    await expect.poll(() => ask(page, isIsolated)).toBe(true);
    await expect.poll(loads).toBe(2);
    await expect(page.locator('[data-notice=isolation]')).toHaveCount(0);
    expect(await measuresWithSharedMemory(page)).toBe(true);
    await disclose(page, 'What will be measured');
    await page.getByRole('button', { name: 'Keep them now' }).click();
    await expect(page.locator('[data-images=kept]')).toBeVisible();

    server.close();
    await page.goto(`${server.url}?device=cpu&view=learn`);
    await expect(page.getByRole('heading', { name: 'Six lessons' })).toBeVisible();
    await page.getByRole('link', { name: 'Train' }).click();
    await expect(page.locator('[data-images=kept]')).toBeVisible();
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.locator('[data-reference]').first().click();
    await expect(
      page.locator('[data-run]').filter({ hasText: 'a reference run of ours' }),
    ).toHaveCount(1);
    await page.goto(`${server.url}?device=cpu&sweep=batch`);
    expect(await ask(page, isIsolated)).toBe(true);
    await runButton(page).click();
    await skipTo(page, 'training');
    await waitForEvent(page, 'step', 'cpu');
    await cancelButton(page).click();
    await waitForEvent(page, 'done', 'cpu');
    expect(sharedMemory(await recordOf(page))).toBe(true);
    await expect(page.locator('[data-failure]')).toHaveCount(0);
    await expect.poll(loads).toBe(4);
  } finally {
    server.close();
  }
});

test('a link is never reloaded away; the page is isolated when its reader goes on to measure', async ({
  page,
}) => {
  const server = await servePlainly('dist');
  try {
    const loads = countLoads(page);
    await openApp(page, '#r=AAAA', server.url);
    await expect.poll(() => ask(page, isControlled)).toBe(true);
    expect(await ask(page, isIsolated)).toBe(false);
    expect(loads()).toBe(1);
    await page.evaluate(() => {
      location.hash = '';
    });
    await expect.poll(() => ask(page, isIsolated)).toBe(true);
    await expect.poll(loads).toBe(2);
  } finally {
    server.close();
  }
});

test('a frame and an embedded chart register no service worker', async ({ page, baseURL }) => {
  const frame = `<!doctype html><iframe src="${baseURL}"></iframe>`;
  await page.route('**/host.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: frame }),
  );
  await page.goto('host.html');
  const framed = page.frameLocator('iframe');
  await expect(framed.locator('rooftrace-app')).toBeVisible();
  await expect(framed.locator('[data-notice=framed]')).toContainText('tab of its own');
  await page.goto('?embed#r=AAAA');
  await expect(page.locator('rooftrace-embed-view')).toBeVisible();
  const registrations = await page.evaluate(
    async () => (await navigator.serviceWorker.getRegistrations()).length,
  );
  expect(registrations).toBe(0);
});

test('a new version waits behind a prompt until it is asked for', async ({ page }) => {
  const site = mkdtempSync(join(tmpdir(), 'rooftrace-site-'));
  cpSync('dist', site, { recursive: true });
  const server = await servePlainly(site);
  try {
    await page.goto(server.url);
    await expect.poll(() => ask(page, isIsolated)).toBe(true);
    const prompt = page.locator('[data-notice=update]');
    await expect(prompt).toHaveCount(0);
    appendFileSync(join(site, 'service-worker.js'), '\n// next version\n');
    await page.reload();
    await expect(prompt).toContainText('new version');
    const loads = countLoads(page);
    await prompt.getByRole('button').click();
    await expect.poll(() => loads()).toBe(1);
    await expect(page.locator('rooftrace-app')).toBeVisible();
    await expect(prompt).toHaveCount(0);
  } finally {
    server.close();
    rmSync(site, { recursive: true });
  }
});
