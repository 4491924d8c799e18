import { describe, expect, test } from 'vitest';
import { isEnough, tooLong, visitBudget } from '../../../src/core/sweeps/pointBudget.ts';

const point = { seconds: 4, mostSeconds: 10, visits: 4 };
const budget = visitBudget(point);

describe('steps of a visit', () => {
  test('have their part of the time of the point', () => {
    expect(budget).toEqual({ seconds: 1, mostSeconds: 10, fewestSteps: 3 });
    expect(visitBudget(point, true)).toEqual({ ...budget, fewestSteps: 2 });
  });

  test('three at the least, though the budget is spent, and two of a later visit', () => {
    expect(isEnough([1, 1], 100, budget)).toBe(false);
    expect(isEnough([1, 1, 1], 100, budget)).toBe(true);
    expect(isEnough([1], 100, visitBudget(point, true))).toBe(false);
    expect(isEnough([1, 1], 100, visitBudget(point, true))).toBe(true);
  });

  test('six that agree end it before the budget does, five or a wide interval do not', () => {
    const narrow = [1, 1.01, 0.99, 1, 1, 1.02];
    expect(isEnough(narrow, 0, budget)).toBe(true);
    expect(isEnough(narrow.slice(1), 0, budget)).toBe(false);
    expect(isEnough([1, 1.2, 0.8, 1, 1.1, 0.9], 0, budget)).toBe(false);
  });

  test('a step that takes too long is refused in words', () => {
    expect(tooLong(3, budget)).toBeUndefined();
    expect(tooLong(4, budget)).toBe('three warm steps would take 12.0 s');
  });
});
