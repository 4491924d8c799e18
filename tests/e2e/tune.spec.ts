import { expect, test } from '@playwright/test';
import { parseRecord } from '../../src/core/run/codec.ts';
import { summary } from '../../src/core/run/summary.ts';
import { openApp, recordOf, runButton, savedText, waitForEvent } from './support/app-page.ts';

test('Tune finds how the network trains fastest on the CPU, shows the gain and keeps it', async ({
  page,
}) => {
  await openApp(page, 'device=cpu');
  // The second click of an impatient one falls on what has taken the button's place.
  await page.getByRole('button', { name: 'Tune', exact: true }).dblclick();
  await waitForEvent(page, 'done', 'cpu');
  await expect(runButton(page)).toBeVisible();

  const record = await recordOf(page);
  const { tuning, failures } = summary(record);
  expect(failures).toEqual([]);
  expect(tuning).toMatchObject([{ device: 'cpu', model: 'resnet8', scope: 'configuration' }]);
  const [{ gain, tuned }] = tuning as [(typeof tuning)[0]];
  expect(gain.low).toBeLessThanOrEqual(gain.ratio);
  expect(gain.high).toBeGreaterThanOrEqual(gain.ratio);
  // What is chosen was faster when it was searched for; a busy machine may think otherwise later.
  if (tuned === undefined) expect(gain.ratio).toBe(1);
  else expect(tuned.batch).toBeGreaterThan(0);

  const row = page.locator('[data-tuning=cpu-resnet8] [data-scope=configuration]');
  await expect(row).toContainText('batch');
  const parsed = parseRecord(await savedText(page, 'Save as JSON'));
  expect(parsed.kind === 'ok' && parsed.value).toEqual(record);
});
