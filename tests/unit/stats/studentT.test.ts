import { describe, expect, it } from 'vitest';
import { studentT95 } from '../../../src/core/stats/studentT.ts';

describe('quantile of Student t', () => {
  it.each([
    [1, 12.7062],
    [2, 4.3027],
    [3, 3.1824],
    [4, 2.7764],
    [5, 2.5706],
    [9, 2.2622],
    [10, 2.2281],
    [30, 2.0423],
    [120, 1.9799],
    [1e6, 1.96],
  ])('of %d degrees is that of the tables', (degrees, quantile) => {
    expect(studentT95(degrees)).toBeCloseTo(quantile, 3);
  });

  it('rounds degrees down and refuses fewer than one', () => {
    expect(studentT95(4.9)).toBe(studentT95(4));
    expect(() => studentT95(0.5)).toThrow(RangeError);
    expect(() => studentT95(Number.NaN)).toThrow(RangeError);
  });
});
