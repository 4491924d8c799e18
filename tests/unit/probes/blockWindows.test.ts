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

  test('does not compare the clocks of threads', () => {
    const values = roundSeconds([steady(0, 1, 12), steady(5000, 3, 4)], 6);
    expect(values).toHaveLength(2);
    for (const value of values) expect(value).toBeCloseTo(1.5, 12);
  });

  test('a thread that stood still in one slice has its block counted in the next', () => {
    const busy = steady(0, 1, 12);
    const stalled: BlockTimes = { start: 0, ends: [1, 2, 3, 9, 10, 11, 12] };
    const values = roundSeconds([busy, stalled], 3);
    // Third slice: the block from 3 to 9; the slice before has none.
    expect(values).toHaveLength(3);
    expect(values[1]).toBeCloseTo(2 / (1 + 1 / 6), 12);
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

  test('gives nothing where a thread did nothing', () => {
    expect(roundSeconds([steady(0, 1, 3), { start: 0, ends: [] }], 1)).toEqual([]);
    expect(roundSeconds([{ start: 0, ends: [] }], 1)).toEqual([]);
  });
});
