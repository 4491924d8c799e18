import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockOffset, overlapOf } from '../../../src/core/probes/overlap.ts';

function blocks(start: number, count: number) {
  return { start, ends: Array.from({ length: count }, (_, i) => start + i + 1) };
}

describe('clockOffset', () => {
  test('the narrowest of all pings bounds it', () => {
    const pings = [
      { asked: 10, told: 110.4, answered: 11 },
      { asked: 20, told: 120.1, answered: 20.2 },
      { asked: 30, told: 130.9, answered: 31 },
    ];
    const { low, high } = clockOffset(pings, 0);
    expect(low).toBeCloseTo(-100.1);
    expect(high).toBeCloseTo(-99.9);
  });

  test('holds the true offset on clocks rounded up or down, however late the messages', () => {
    const late = fc.double({ min: 0, max: 5, noNaN: true });
    const delays = fc.array(fc.tuple(late, late), { minLength: 1, maxLength: 8 });
    const anyOffset = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(delays, anyOffset, fc.boolean(), (messages, offset, roundsUp) => {
        const round = roundsUp ? Math.ceil : Math.floor;
        const pings = messages.map(([there, back], i) => ({
          asked: round(10 * i),
          told: Math.floor(10 * i + there - offset),
          answered: round(10 * i + there + back),
        }));
        const { low, high } = clockOffset(pings, 1);
        expect(low).toBeLessThanOrEqual(offset);
        expect(high).toBeGreaterThanOrEqual(offset);
      }),
    );
  });
});

describe('overlapOf', () => {
  const exact = { low: 0, high: 0 };

  test('keeps what all did together', () => {
    const common = overlapOf([blocks(0, 10), blocks(4, 10)], [exact, exact]);
    expect(common[0]).toEqual({ start: 4, ends: [5, 6, 7, 8, 9, 10] });
    expect(common[1]).toEqual(common[0]);
  });

  test('leaves out what may lie outside, by the bounds of the clocks', () => {
    const offsets = [
      { low: 99, high: 101 },
      { low: 0, high: 0 },
    ];
    const [first, second] = overlapOf([blocks(0, 10), blocks(100, 10)], offsets);
    // From 101 at the latest to 109 at the earliest.
    expect(second).toEqual({ start: 101, ends: [102, 103, 104, 105, 106, 107, 108, 109] });
    expect(first).toEqual({ start: 2, ends: [3, 4, 5, 6, 7, 8] });
  });

  test('threads that never met did nothing together', () => {
    for (const { ends } of overlapOf([blocks(0, 3), blocks(5, 3)], [exact, exact]))
      expect(ends).toEqual([]);
  });

  test('one thread alone keeps everything', () => {
    expect(overlapOf([blocks(7, 4)], [exact])).toEqual([blocks(7, 4)]);
  });
});
