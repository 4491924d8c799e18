import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearFit } from '../../../src/core/stats/fit.ts';
import { medianInterval, relativeHalfWidth } from '../../../src/core/stats/interval.ts';
import { median, medianAbsoluteDeviation } from '../../../src/core/stats/median.ts';
import { generator, gaussian } from '../../support/random.ts';

const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), {
  minLength: 1,
  maxLength: 60,
});

function upTo(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

describe('median', () => {
  test('of odd and even counts', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow();
  });

  test('does not reorder its input', () => {
    const input = [3, 1, 2];
    median(input);
    expect(input).toEqual([3, 1, 2]);
  });

  test('has as many values above as below', () => {
    fc.assert(
      fc.property(values, (list) => {
        const middle = median(list);
        expect(list.filter((value) => value < middle).length).toBeLessThanOrEqual(list.length / 2);
        expect(list.filter((value) => value > middle).length).toBeLessThanOrEqual(list.length / 2);
      }),
    );
  });

  test('median absolute deviation', () => {
    expect(medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9])).toBe(1);
  });
});

describe('interval of the median', () => {
  // Ranks as tabulated for the 95 % interval of the median from binomial order statistics.
  test.each([
    [6, 1],
    [8, 1],
    [9, 2],
    [11, 2],
    [12, 3],
    [15, 4],
    [20, 6],
    [25, 8],
    [50, 18],
    [100, 40],
  ])('of %d values starts at rank %d', (length, rank) => {
    const interval = medianInterval(upTo(length));
    expect(interval.low).toBe(rank);
    expect(interval.high).toBe(length + 1 - rank);
    expect(interval.coverage).toBeGreaterThanOrEqual(0.95);
  });

  test.each([
    [1, 0],
    [2, 0.5],
    [3, 0.75],
    [4, 0.875],
    [5, 0.9375],
    [6, 0.96875],
  ])('of %d values covers %d', (length, coverage) => {
    const interval = medianInterval(upTo(length).toReversed());
    expect(interval.low).toBe(1);
    expect(interval.high).toBe(length);
    expect(interval.coverage).toBeCloseTo(coverage, 12);
  });

  test('of five thousand values does not underflow', () => {
    const interval = medianInterval(upTo(5000));
    expect(interval.coverage).toBeGreaterThanOrEqual(0.95);
    expect(interval.coverage).toBeLessThan(0.96);
    // Normal approximation: (n - 1.96 sqrt n) / 2.
    expect(interval.low).toBeCloseTo((5000 - 1.96 * Math.sqrt(5000)) / 2, -1);
  });

  test('covers the true median as often as it says', () => {
    const random = generator(7);
    for (const length of [5, 9, 30]) {
      const trials = 4000;
      let covered = 0;
      let coverage = 0;
      for (let trial = 0; trial < trials; trial++) {
        // Skewed on purpose: exp(z) has its median at 1.
        const draws = Array.from({ length }, () => Math.exp(gaussian(random)));
        const interval = medianInterval(draws);
        coverage = interval.coverage;
        if (interval.low <= 1 && 1 <= interval.high) covered += 1;
      }
      expect(Math.abs(covered / trials - coverage)).toBeLessThan(0.015);
    }
  });

  test('brackets the median, whatever the values', () => {
    fc.assert(
      fc.property(values, (list) => {
        const interval = medianInterval(list);
        expect(interval.low).toBeLessThanOrEqual(interval.median);
        expect(interval.high).toBeGreaterThanOrEqual(interval.median);
      }),
    );
  });

  test('of no values is a bug', () => {
    expect(() => medianInterval([])).toThrow(RangeError);
  });

  test('relative half width takes the farther end', () => {
    expect(relativeHalfWidth({ median: 100, low: 98, high: 105 })).toBeCloseTo(0.05, 12);
  });
});

describe('linear fit', () => {
  test('recovers a line far from the origin', () => {
    const xs = [1e9, 1e9 + 1, 1e9 + 2, 1e9 + 5];
    const fit = linearFit(
      xs,
      xs.map((x) => 3 + 2 * (x - 1e9)),
    );
    expect(fit.slope).toBeCloseTo(2, 9);
    expect(fit.maxRelativeResidual).toBeLessThan(1e-9);
  });

  test('recovers any line', () => {
    const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    const xs = fc.uniqueArray(fc.integer({ min: -100, max: 100 }), { minLength: 2 });
    fc.assert(
      fc.property(number, number, xs, (intercept, slope, points) => {
        const fit = linearFit(
          points,
          points.map((x) => intercept + slope * x),
        );
        expect(fit.intercept).toBeCloseTo(intercept, 8);
        expect(fit.slope).toBeCloseTo(slope, 8);
      }),
    );
  });

  test('names the largest residual, relative to what was measured', () => {
    // Through (0, 1), (1, 2), (2, 6): slope 2.5, intercept 0.5; residuals 0.5, -1, 0.5.
    const fit = linearFit([0, 1, 2], [1, 2, 6]);
    expect(fit.slope).toBeCloseTo(2.5, 12);
    expect(fit.intercept).toBeCloseTo(0.5, 12);
    expect(fit.maxRelativeResidual).toBeCloseTo(0.5, 12);
  });

  test('needs two distinct x and equal lengths', () => {
    expect(() => linearFit([1, 1], [1, 2])).toThrow(/distinct/);
    expect(() => linearFit([1, 2], [1])).toThrow(/lengths/);
  });
});
