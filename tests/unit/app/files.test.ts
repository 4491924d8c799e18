import { expect, test } from 'vitest';
import { readRecord } from '../../../src/app/files.ts';
import { recordToJson } from '../../../src/core/run/codec.ts';
import { sampleRecord } from '../../support/sample-record.ts';

test('a saved run is read', async () => {
  const parsed = await readRecord(new Blob([recordToJson(sampleRecord)]));
  expect(parsed).toEqual({ kind: 'ok', value: sampleRecord });
});

test('a file too large for a run is refused unread', async () => {
  const huge = { size: 2 ** 33, text: () => new Promise(() => {}) };
  const parsed = await readRecord(huge as unknown as Blob);
  expect(parsed).toMatchObject({ kind: 'invalid', errors: [{ field: 'file' }] });
});

test('what cannot be read, such as a folder, is refused', async () => {
  const folder = { size: 0, text: () => Promise.reject(new Error('not found')) };
  const parsed = await readRecord(folder as unknown as Blob);
  expect(parsed).toMatchObject({ kind: 'invalid', errors: [{ value: 'Error: not found' }] });
});
