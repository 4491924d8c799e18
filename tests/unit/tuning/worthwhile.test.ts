import { expect, test } from 'vitest';
import { worthwhile } from '../../../src/core/tuning/worthwhile.ts';

test('a default is left for what is faster by more than times scatter', () => {
  const standard = { candidate: 'default', seconds: 1 };
  const chosen = (seconds: number) => {
    const other = { candidate: 'other', seconds };
    return worthwhile([other, standard], standard).candidate;
  };
  expect(chosen(0.97)).toBe('default');
  expect(chosen(0.9)).toBe('other');
  expect(worthwhile([standard], standard)).toBe(standard);
});

test('a default that could not be timed is left for any that could', () => {
  const standard = { candidate: 'default', seconds: Infinity };
  const other = { candidate: 'other', seconds: 1 };
  expect(worthwhile([other, standard], standard)).toBe(other);
});
