import { expect, test } from 'vitest';
import { nonlinearity } from '../../../src/core/probes/linearity.ts';

test('twice the work in twice the time is linear, whatever disturbed some runs', () => {
  expect(nonlinearity([1, 5, 1.01], [2.04, 9, 3])).toBeUndefined();
  expect(nonlinearity([1], [1.91])).toBeUndefined();
  expect(nonlinearity([1], [2.09])).toBeUndefined();
});

test('work that was left out or added is named with its ratio', () => {
  expect(nonlinearity([1], [1])).toContain('1.00');
  expect(nonlinearity([1, 1], [1.85, 1.88])).toContain('1.85');
  expect(nonlinearity([1], [2.2])).toContain('2.20');
});
