import { describe, expect, test } from 'vitest';
import { gainOf } from '../../../src/core/stats/gain.ts';
import { noisyTimes } from '../roofline/samples.ts';

describe('gain', () => {
  test('is the ratio of medians, its interval from the intervals apart', () => {
    const before = [2, 2, 2, 2, 2, 2.2];
    const after = [1, 1, 1, 1, 1, 0.8];
    expect(gainOf(before, after)).toEqual({ ratio: 2, low: 2, high: 2.2 / 0.8 });
  });

  test('holds the true gain in at least 95 of 100 seeds', () => {
    let held = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const { low, high } = gainOf(
        noisyTimes(0.3, 0.05, 9, 2 * seed),
        noisyTimes(0.2, 0.05, 9, 2 * seed + 1),
      );
      if (low <= 1.5 && high >= 1.5) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(95);
  });

  test('without times there is none', () => {
    expect(() => gainOf([], [1])).toThrow(RangeError);
  });
});
