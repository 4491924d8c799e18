import { expect, test } from 'vitest';
import { batchedSeconds } from '../../../src/core/probes/batchFit.ts';

test('a wait of any length cancels out', () => {
  for (const wait of [0, 0.001, 0.03]) {
    const found = batchedSeconds(Array(5).fill(wait + 0.02), Array(5).fill(wait + 0.04), 10);
    expect(found).toHaveLength(5);
    for (const seconds of found ?? []) expect(seconds).toBeCloseTo(0.002, 9);
  }
});

test('one disturbed batch spoils no other', () => {
  const found = batchedSeconds([0.03, 0.5, 0.03], [0.05, 0.05, 0.4], 10);
  for (const seconds of found?.slice(0, 2) ?? [0]) expect(seconds).toBeCloseTo(0.002, 9);
});

test('a wait is never less than nothing', () => {
  expect(batchedSeconds([0.01], [0.04], 1)).toEqual([0.02]);
});

test('calls that take no time against the wait are not timed', () => {
  expect(batchedSeconds([0.1, 0.1, 0.1], [0.1, 0.1, 0.1], 4)).toBeUndefined();
  expect(batchedSeconds([0.1, 0.1, 0.1], [0.13, 0.13, 0.13], 4)).toBeUndefined();
});
