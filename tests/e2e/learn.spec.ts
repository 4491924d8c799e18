import { expect, test, type Page } from '@playwright/test';
import { recordToJson } from '../../src/core/run/codec.ts';
import { sampleRecord } from '../support/sample-record.ts';
import { openApp, openFile } from './support/app-page.ts';
import { expectAccessible } from './support/axe.ts';

const lessonCount = 6;

/** Predicts whatever the form offers first; nothing is shown before. */
async function predict(page: Page): Promise<void> {
  const lesson = page.locator('rooftrace-lesson-view');
  await expect(lesson.locator('rooftrace-lesson-answer')).toHaveCount(0);
  await expect(lesson.locator('[data-takeaway]')).toHaveCount(0);
  const options = lesson.getByRole('radio');
  const button = lesson.getByRole('button', { name: 'This is my prediction' });
  await button.waitFor();
  if ((await options.count()) > 0) await options.first().check();
  await button.click();
}

test('every lesson is finished on reference numbers, by its links', async ({ page }) => {
  await page.goto('?view=learn');
  await page.getByRole('link', { name: '1. Two limits' }).click();
  for (let lesson = 1; lesson <= lessonCount; lesson += 1) {
    await expect(page).toHaveURL(new RegExp(`lesson=${lesson}`));
    await expect(page.getByRole('heading', { name: `Lesson ${lesson}:` })).toBeFocused();
    expect(await page.locator('math mfrac, math munder, math munderover').count()).toBeGreaterThan(
      0,
    );
    await predict(page);
    await expect(page.locator('[data-verdict]')).toBeVisible();
    await expect(page.locator('[data-found]')).not.toBeEmpty();
    await expect(page.locator('[data-takeaway]')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Prediction and measurement' })).toBeFocused();
    // The same lesson on the CPU's numbers alone.
    await page.getByLabel('Device').selectOption('cpu');
    await expect(page.locator('[data-missing]')).toHaveCount(0);
    await expect(page.locator('[data-found]')).not.toBeEmpty();
    if (lesson < lessonCount)
      await page.getByRole('link', { name: `Lesson ${lesson + 1}` }).click();
  }
  await page.getByRole('link', { name: 'All lessons' }).click();
  await expect(page.getByRole('heading', { name: 'Six lessons' })).toBeFocused();
  await expect(page).toHaveTitle('Learn – Rooftrace');
  await page.goBack();
  // The prediction is still there.
  await expect(page.locator('[data-verdict]')).toBeVisible();
});

test('lessons are about the run on the page, also where it has no GPU', async ({ page }) => {
  await openApp(page);
  await openFile(page, 'run.json', recordToJson(sampleRecord));
  await page.getByRole('link', { name: 'Learn' }).click();
  await page.getByRole('link', { name: '4. Strong scaling' }).click();
  await predict(page);
  // 2.1 workgroups' worth of two cores, as the record says.
  await expect(page.locator('[data-found]')).toHaveText('2.10 times');
  await page.getByLabel('Device').selectOption('cpu');
  await expect(page.locator('[data-found]')).toHaveText('1.87 times');
  await page.getByRole('button', { name: 'Predict again' }).click();
  await predict(page);
});

test('the playground moves the point and the roof', async ({ page }) => {
  await page.goto('?view=learn');
  const status = page.locator('[data-playground]');
  await page.getByLabel('Intensity of the program').fill('0');
  await expect(status).toContainText('held back by memory');
  await page.getByLabel('Bandwidth of its memory').fill('200');
  await page.getByLabel('Arithmetic of the machine').fill('0');
  await expect(status).toContainText('held back by arithmetic');
});

test('axe finds nothing in the lessons, in either theme', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('?view=learn');
  await page.locator('[data-playground]').waitFor();
  await expectAccessible(page);
  for (let lesson = 1; lesson <= lessonCount; lesson += 1) {
    await page.goto(`?view=learn&lesson=${lesson}`);
    await predict(page);
    await page.locator('[data-verdict]').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      320,
    );
  }
});
