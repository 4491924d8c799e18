import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { successiveHalving, type Ranked } from '../../../src/core/tuning/successiveHalving.ts';

function run<V>(
  candidates: readonly V[],
  secondsOf: (candidate: V, time: number) => number,
  budget = Infinity,
): { readonly ranked: readonly Ranked<V>[]; readonly timed: readonly V[] } {
  const timed: V[] = [];
  const halving = successiveHalving(candidates, () => timed.length < budget);
  let step = halving.next();
  while (step.done !== true) {
    timed.push(step.value);
    step = halving.next(secondsOf(step.value, timed.length));
  }
  return { ranked: step.value, timed };
}

describe('successive halving', () => {
  test('finds the fastest, timing those that do well more often', () => {
    const { ranked, timed } = run([5, 3, 8, 1, 9, 2, 7, 4], (value) => value);
    expect(ranked.map(({ candidate }) => candidate)).toEqual([1, 2, 3, 4, 5, 7, 8, 9]);
    expect(timed.filter((value) => value === 1)).toHaveLength(3);
    expect(timed.filter((value) => value === 9)).toHaveLength(1);
    expect(timed).toHaveLength(8 + 4 + 2);
  });

  test('one slow time does not cost the fastest its place', () => {
    const { ranked } = run([1, 2, 3, 4], (value, time) => (time === 1 ? 2.5 : value));
    expect(ranked[0]).toEqual({ candidate: 1, seconds: 1 });
  });

  test('a budget leaves the rest untimed, last and in order', () => {
    const { ranked, timed } = run(['a', 'b', 'c', 'd'], (value) => (value === 'b' ? 1 : 2), 2);
    expect(timed).toEqual(['a', 'b']);
    expect(ranked.map(({ candidate }) => candidate)).toEqual(['b', 'a', 'c', 'd']);
    expect(ranked.at(-1)?.seconds).toBe(Infinity);
  });

  test('without any budget the first is timed all the same', () => {
    const { ranked, timed } = run(['a', 'b'], () => 1, 0);
    expect(timed).toEqual(['a']);
    expect(ranked[0]).toEqual({ candidate: 'a', seconds: 1 });
  });

  test('a failed candidate never wins', () => {
    const { ranked } = run([1, 2, 3], (value) => (value === 1 ? Infinity : value));
    expect(ranked[0]?.candidate).toBe(2);
  });

  test('all candidates come back once, sorted, whatever their times and the budget', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 10, noNaN: true }), { maxLength: 20 }),
        fc.nat(40),
        (times, budget) => {
          const indices = times.map((_, at) => at);
          const { ranked } = run(indices, (at) => times[at]!, budget);
          const order = ranked.map(({ candidate }) => candidate);
          expect(order.toSorted((a, b) => a - b)).toEqual(indices);
          const seconds = ranked.map((entry) => entry.seconds);
          expect(seconds).toEqual(seconds.toSorted((a, b) => (a < b ? -1 : Number(a > b))));
        },
      ),
    );
  });
});
