import { array, assert, double, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeRange, decadeRange, logTicks, tickLabel } from '../../../src/core/chart/axis.ts';
import { tickFault } from '../../support/tick-fault.ts';

const fallback = { min: 1, max: 10 };
const positive = double({ min: 1e-6, max: 1e15, noNaN: true });
const range = tuple(
  double({ min: -6, max: 14, noNaN: true }),
  double({ min: 0.02, max: 12, noNaN: true }),
).map(([low, decades]) => ({ min: 10 ** low, max: 10 ** (low + decades) }));

function major(min: number, max: number): readonly number[] {
  return logTicks({ min, max }).flatMap((tick) => (tick.major ? [tick.value] : []));
}

describe('decadeRange', () => {
  it('holds every value, in whole decades', () => {
    assert(
      property(array(positive, { minLength: 1 }), (values) => {
        const { min, max } = decadeRange(values, 2, fallback);
        for (const value of values) {
          expect(min).toBeLessThanOrEqual(value);
          expect(max).toBeGreaterThanOrEqual(value);
        }
        expect(Number.isInteger(Math.log10(min))).toBe(true);
        expect(Math.log10(max / min)).toBeGreaterThanOrEqual(1.999);
      }),
    );
  });

  it('leaves out what a log axis cannot show', () => {
    expect(decadeRange([0, -3, Number.NaN, Infinity, 20], 1, fallback)).toEqual({
      min: 10,
      max: 100,
    });
    expect(decadeRange([0, Number.NaN], 1, fallback)).toBe(fallback);
  });
});

describe('closeRange', () => {
  it('keeps the margin on both sides', () => {
    expect(closeRange([4, 8], 2, fallback)).toEqual({ min: 2, max: 16 });
    expect(closeRange([], 2, fallback)).toBe(fallback);
  });
});

describe('logTicks', () => {
  it('rises within any range, and labels 2 to 12 places with what reads back as their value', () => {
    assert(
      property(range, (limits) => {
        expect(tickFault(limits)).toBeUndefined();
      }),
      { numRuns: 4000 },
    );
  });

  it('returns for the ranges that hang other log axes', () => {
    expect(logTicks({ min: 0.00988, max: 0.01238 }).length).toBeGreaterThan(1);
  });

  it('labels decades where there are many, and 1-2-5 where there are few', () => {
    expect(major(0.1, 100)).toEqual([0.1, 1, 10, 100]);
    expect(major(3, 30)).toEqual([5, 10, 20]);
    expect(major(10, 14)).toEqual([10, 11, 12, 13, 14]);
  });
});

describe('tickLabel', () => {
  it('writes plain numbers near 1 and powers far from it', () => {
    expect([0.01, 20, 1000, 1e7, 2e-5].map(tickLabel)).toEqual([
      '0.01',
      '20',
      '1,000',
      '10⁷',
      '2 × 10⁻⁵',
    ]);
  });
});
