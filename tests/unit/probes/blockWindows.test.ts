import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundSeconds, type BlockTimes } from '../../../src/core/probes/blockWindows.ts';

/** A thread whose blocks all take the same time. */
function steady(start: number, blockSeconds: number, blocks: number): BlockTimes {
  return { start, ends: Array.from({ length: blocks }, (_, i) => start + (i + 1) * blockSeconds) };
}

describe('roundSeconds', () => {
  test('one thread: the mean time of a block, once a slice', () => {
    const values = roundSeconds([steady(10, 0.5, 40)], 5);
    expect(values).toHaveLength(4);
    for (const value of values) expect(value).toBeCloseTo(0.5, 12);
  });

  test('adds the rates of unlike cores instead of waiting for the slower', () => {
    const [value] = roundSeconds([steady(0, 1, 12), steady(0, 3, 4)], 12);
    // 1 + 1/3 blocks a second: two blocks take 1.5 s.
    expect(value).toBeCloseTo(1.5, 12);
  });

  test('uses only the window in which every thread was at work', () => {
    const late = steady(5, 1, 5);
    const early: BlockTimes = {
      start: 0,
      ends: [1, 2, 3, 4, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10],
    };
    // From 5 to 10 the early thread does two blocks a second, before that one.
    expect(roundSeconds([early, late], 5)[0]).toBeCloseTo(2 / 3, 12);
  });

  test('counts every block of the window exactly once', () => {
    const times = fc.array(fc.double({ min: 1e-3, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(times, fc.double({ min: 0.01, max: 5, noNaN: true }), (blocks, slice) => {
        let now = 100;
        const ends = blocks.map((block) => (now += block));
        const values = roundSeconds([{ start: 100, ends }], slice);
        expect(values.length).toBeGreaterThan(0);
        expect(Math.min(...values)).toBeGreaterThanOrEqual(Math.min(...blocks) * (1 - 1e-9));
        expect(Math.max(...values)).toBeLessThanOrEqual(Math.max(...blocks) * (1 + 1e-9));
      }),
    );
  });

  test('gives nothing where threads did not meet or did nothing', () => {
    expect(roundSeconds([steady(0, 1, 3), steady(50, 1, 3)], 1)).toEqual([]);
    expect(roundSeconds([{ start: 0, ends: [] }], 1)).toEqual([]);
  });
});
