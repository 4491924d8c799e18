import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contendingAt } from '../../../src/core/probes/contending.ts';
import { arraySize, streamNames, streams } from '../../../src/core/probes/streams.ts';
import { coarseFirst, workingSets } from '../../../src/core/probes/workingSets.ts';

describe('workingSets', () => {
  test('keeps both ends and the ratio', () => {
    const size = fc.integer({ min: 64, max: 2 ** 30 });
    fc.assert(
      fc.property(size, size, fc.double({ min: 1.05, max: 4, noNaN: true }), (x, y, ratio) => {
        const [low, high] = [Math.min(x, y), Math.max(x, y)];
        const sizes = workingSets(low, high, ratio);
        expect(sizes[0]).toBe(low);
        expect(sizes.at(-1)).toBe(high);
        for (const [index, next] of sizes.slice(1).entries()) {
          expect(next / sizes[index]!).toBeLessThanOrEqual(ratio * (1 + 1 / low));
        }
      }),
    );
  });

  test('4 KiB to 64 MiB at 1.42 is 29 working sets', () => {
    expect(workingSets(4096, 64 * 2 ** 20, 1.42)).toHaveLength(29);
  });

  test('names a bad range', () => {
    expect(() => workingSets(8, 4, 2)).toThrow('bad range');
  });
});

describe('coarseFirst', () => {
  test('every index once, the last among the first, each half of the steps before', () => {
    expect(coarseFirst(10, 4)).toEqual([1, 5, 9, 3, 7, 0, 2, 4, 6, 8]);
    for (const length of [1, 2, 3, 4, 5, 27, 60]) {
      const order = coarseFirst(length, 4);
      expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length }, (_, index) => index));
    }
  });
});

/** Rates at every fourth set. */
function curve(...rates: readonly number[]): ReadonlyMap<number, number> {
  return new Map(rates.map((rate, index) => [4 * index, rate]));
}

describe('contendingAt', () => {
  const steady = curve(10, 10, 10);
  const cached = curve(14, 11, 3);
  const slow = curve(4, 4, 4);

  test('what is near the fastest at a neighbour, and the fastest on the whole', () => {
    expect(contendingAt([steady, cached, slow], 2)).toEqual([0, 1]);
    expect(contendingAt([steady, cached, slow], 6)).toEqual([0, 1]);
    expect(contendingAt([slow, cached, curve(3, 3, 20)], 10)).toEqual([1, 2]);
  });

  test('a neighbour is the nearest set that the curve itself was measured at', () => {
    const gone = new Map([...cached, [6, 9]]);
    expect(contendingAt([new Map([...steady, [6, 10]]), gone, slow], 7)).toEqual([0, 1]);
    expect(contendingAt([steady, new Map<number, number>(), slow], 2)).toEqual([0]);
  });
});

describe('streams', () => {
  test('arrays are whole iterations and fit the working set', () => {
    for (const stream of streamNames.map((name) => streams[name])) {
      const size = arraySize(stream, 100_000);
      expect(size % 128).toBe(0);
      expect(size * stream.arrays).toBeLessThanOrEqual(100_000);
      expect(size * stream.arrays).toBeGreaterThan(100_000 - 128 * stream.arrays);
    }
  });
});
