import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { optimum, saturation } from '../../../src/core/roofline/saturation.ts';
import { medianInterval } from '../../../src/core/stats/interval.ts';
import { published } from './publishedTrajectory.ts';
import { noisyTimes } from './samples.ts';

/** Doubling parameters from 1, each rate with the same relative spread. */
function rated(rates: readonly number[], spread = 0) {
  return rates.map((flopsPerSecond, index) => ({
    value: 2 ** index,
    flopsPerSecond,
    low: flopsPerSecond * (1 - spread),
    high: flopsPerSecond * (1 + spread),
  }));
}

describe('saturation and optimum', () => {
  test('the published trajectory saturates at 4, and 6 is the fastest', () => {
    expect(saturation(published('HBM'))).toEqual({ value: 4, earliest: 4, latest: 4 });
    expect(optimum(published('HBM'))).toEqual({ value: 6, tied: [] });
  });

  test('a sweep that still grows at its end has not saturated', () => {
    expect(saturation(rated([1, 2, 4, 8]))).toBeUndefined();
    expect(optimum(rated([1, 2, 4, 8]))).toEqual({ value: 8, tied: [] });
  });

  test('the intervals widen the range, never past the point itself', () => {
    const points = rated([50, 88, 96, 100], 0.03);
    expect(saturation(points)).toEqual({ value: 4, earliest: 4, latest: 8 });
    expect(saturation(rated([50, 93, 96, 100], 0.03))).toMatchObject({ value: 4, earliest: 2 });
    expect(optimum(points)!.tied).toEqual([4]);
  });

  test('a fall after the best does not move it', () => {
    expect(saturation(rated([50, 100, 80, 60]))).toEqual({ value: 2, earliest: 2, latest: 2 });
  });

  test('no points, neither', () => {
    expect(saturation([])).toBeUndefined();
    expect(optimum([])).toBeUndefined();
  });

  test('on any sweep the range holds the point', () => {
    const rate = fc.double({ min: 1, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(rate, { minLength: 1, maxLength: 10 }),
        fc.double({ min: 0, max: 0.2, noNaN: true }),
        (rates, spread) => {
          const found = saturation(rated(rates, spread));
          if (found === undefined) return;
          expect(found.earliest).toBeLessThanOrEqual(found.value);
          expect(found.latest).toBeGreaterThanOrEqual(found.value);
        },
      ),
    );
  });

  test('under 3 percent noise the published saturation point stays in its range', () => {
    let held = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const points = published('HBM').map((point, index) => {
        const times = noisyTimes(1, 0.03, 10, seed * 10 + index);
        const { median, low, high } = medianInterval(
          times.map((time) => point.flopsPerSecond / time),
        );
        return { value: point.value, flopsPerSecond: median, low, high };
      });
      const found = saturation(points);
      if (found && found.earliest <= 4 && found.latest >= 4) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(95);
  });
});
