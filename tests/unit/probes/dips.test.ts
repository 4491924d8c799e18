import { expect, test } from 'vitest';
import { disturbance, isDip } from '../../../src/core/probes/dips.ts';

test('a point slower than both neighbours is a dip, an edge between levels is none', () => {
  expect(isDip(1, 5, 1.1)).toBe(true);
  expect(isDip(1, 5, 5)).toBe(false);
  expect(isDip(5, 5, 1)).toBe(false);
  expect(isDip(1, 1.2, 1)).toBe(false);
});

test('of two measurements that do not agree the slower is refused', () => {
  expect(disturbance(5, 1)).toContain('5.0 times');
  expect(disturbance(1.2, 1)).toBeUndefined();
});
