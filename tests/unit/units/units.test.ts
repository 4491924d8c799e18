import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatCount,
  formatDuration,
  formatIntensity,
  formatNumber,
  formatRate,
  formatShare,
  formatSize,
  notMeasured,
} from '../../../src/core/units.ts';

const multipliers: Record<string, number> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
};

describe('rates', () => {
  test.each([
    [56.93e9, 'flop/s', '56.9 GFLOP/s'],
    [4.2e9, 'byte/s', '4.20 GB/s'],
    [1.5e12, 'op/s', '1.50 Top/s'],
    [999.96e9, 'flop/s', '1.00 TFLOP/s'],
    [999.4e9, 'flop/s', '999 GFLOP/s'],
    [0, 'byte/s', '0 B/s'],
  ] as const)('%d %s is %s', (value, unit, text) => {
    expect(formatRate(value, unit)).toBe(text);
  });

  test('a rate that is not finite is no number', () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      expect(formatRate(value, 'flop/s')).toBe(notMeasured);
    }
  });
});

describe('counts', () => {
  test.each([
    [999.96, '1.00 k'],
    [999, '999'],
    [1000, '1.00 k'],
    [12_345, '12.3 k'],
    [999_499, '999 k'],
    [999_500, '1.00 M'],
    [-999.96, '-1.00 k'],
  ])('%d is %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  test('the text reads back to the value within half of its third digit, its mantissa under 1000', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 9e20, noNaN: true }), (value) => {
        const [mantissa = '', prefix = ''] = formatCount(value).split(' ');
        const readBack = Number(mantissa) * multipliers[prefix]!;
        expect(Math.abs(readBack - value) / value).toBeLessThanOrEqual(0.005 + 1e-12);
        expect(Number(mantissa)).toBeGreaterThanOrEqual(1);
        if (prefix !== 'E') expect(Number(mantissa)).toBeLessThan(1000);
        if (prefix !== '') expect(mantissa.replace('.', '')).toHaveLength(3);
      }),
    );
  });
});

describe('sizes', () => {
  test.each([
    [512, '512 B'],
    [1024, '1.00 KiB'],
    [32 * 1024, '32.0 KiB'],
    [1000 * 1024, '1000 KiB'],
    [1023.4 * 1024, '1023 KiB'],
    [1023.5 * 1024, '1.00 MiB'],
    [128 * 2 ** 20, '128 MiB'],
    [3 * 2 ** 30, '3.00 GiB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  test('no unit but the largest ever shows 1024 or more', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2 ** 49, noNaN: true }), (bytes) => {
        const [mantissa, unit] = formatSize(bytes).split(' ');
        if (unit !== 'TiB') expect(Number(mantissa)).toBeLessThan(1024);
      }),
    );
  });
});

test.each([
  [0, '0 s'],
  [1.5e-3, '1.50 ms'],
  [0.99996e-3, '1.00 ms'],
  [12.34, '12.3 s'],
  [59.96, '1 min 0 s'],
  [125, '2 min 5 s'],
  [2.5e-10, '0.250 ns'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.each([
  [0.125, '0.125'],
  [9.999, '10.0'],
  [0.0009996, '0.00100'],
  [1234.5, '1230'],
  [1e-7, '0.000000100'],
  [0, '0'],
])('the number %d is %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test.each([
  [0.461, '46 %'],
  [1.2, '120 %'],
  [0.0031, '0.3 %'],
  [Number.NaN, notMeasured],
])('the share %d is %s', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test('an intensity names its unit', () => {
  expect(formatIntensity(12.49)).toBe('12.5 flop/byte');
});
