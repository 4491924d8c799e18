import { describe, expect, test } from 'vitest';
import { nonlinearity, nonlinearityOfLast, type Pair } from '../../../src/core/probes/linearity.ts';

test('twice the work in twice the time is linear, whatever disturbed some runs', () => {
  expect(nonlinearity([1, 5, 1.01], [2.04, 9, 3])).toBeUndefined();
  expect(nonlinearity([1], [1.91])).toBeUndefined();
  expect(nonlinearity([1], [2.09])).toBeUndefined();
});

test('work that was left out or added is named with its ratio', () => {
  expect(nonlinearity([1], [1])).toContain('1.00');
  expect(nonlinearity([1, 1], [1.85, 1.88])).toContain('1.85');
  expect(nonlinearity([1], [2.2])).toContain('2.20');
});

function pairs(...times: readonly (readonly [number, number])[]): Pair[] {
  return times.map(([single, double]) => ({ single, double }));
}

describe('the last pairs', () => {
  test('a clock that stood still is no measurement, whichever run it was', () => {
    expect(nonlinearityOfLast(pairs([0, 2], [1, 2.01]))).toBeUndefined();
    expect(nonlinearityOfLast(pairs([1, 0], [1, 2.01]))).toBeUndefined();
    expect(nonlinearityOfLast(pairs([0, 2], [0, 0], [1, 0]))).toContain('did not advance');
    expect(nonlinearityOfLast([])).toContain('did not advance');
  });

  test('a reading far too short is outlived', () => {
    const steady = [1, 2] as const;
    const short = [0.1, 2] as const;
    expect(nonlinearityOfLast(pairs(short, steady, steady, steady, steady))).toContain('20.00');
    expect(
      nonlinearityOfLast(pairs(short, steady, steady, steady, steady, steady)),
    ).toBeUndefined();
  });

  test('work that is left out is refused however often it runs', () => {
    const skipping = Array.from({ length: 200 }, (_, i) => [1 + (i % 7) / 50, 1.8] as const);
    for (let length = 1; length <= skipping.length; length++)
      expect(nonlinearityOfLast(pairs(...skipping.slice(0, length)))).toBeDefined();
  });
});
