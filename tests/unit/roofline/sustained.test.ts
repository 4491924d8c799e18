import { expect, test } from 'vitest';
import { sustainedOf } from '../../../src/core/roofline/sustained.ts';
import { samplesOf } from '../../../src/core/roofline/rates.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { sampleOf } from './samples.ts';

const flops = 1e9;

/** A minute of repeats of a kernel whose rate falls from 100 to 80 Gflop/s within 20 s. */
function minute(): number[] {
  const seconds: number[] = [];
  for (let at = 0; at < 60;) {
    const rate = 100e9 - (20e9 * Math.min(at, 20)) / 20;
    seconds.push(flops / rate);
    at += flops / rate;
  }
  return seconds;
}

const sustained = (seconds: readonly number[], change: Partial<Sample> = {}) =>
  sampleOf({ kind: 'sustained', precision: 'f32', flops }, { seconds, ...change });

const of = (samples: readonly Sample[]) => sustainedOf(samplesOf(samples, 'sustained'));

test('burst is the beginning, sustained the end of a minute', () => {
  const found = of([sustained(minute())]);
  expect((found?.burst.value ?? NaN) / 1e9).toBeGreaterThan(97);
  expect((found?.sustained.value ?? NaN) / 80e9).toBeCloseTo(1, 9);
  expect(found?.ratio).toBeCloseTo(80 / 98.5, 2);
  expect(found?.burst.unit).toBe('flop/s');
});

test('windows of about a second hold all of the time and all of the work', () => {
  const seconds = minute();
  const { windows = [] } = of([sustained(seconds)]) ?? {};
  expect(windows.length).toBeGreaterThan(55);
  const work = windows.reduce((sum, window) => sum + window.rate * window.seconds, 0);
  expect(work / (flops * seconds.length)).toBeCloseTo(1, 9);
  for (const [index, { start }] of windows.entries()) {
    const before = windows[index - 1];
    expect(start).toBeCloseTo(before ? before.start + before.seconds : 0, 9);
  }
  expect(windows[0]!.rate).toBeGreaterThan(windows.at(-1)!.rate);
});

test('samples of one kernel follow each other; of several kernels the longest run counts', () => {
  const seconds = minute();
  const half = Math.floor(seconds.length / 2);
  const parts = [sustained(seconds.slice(0, half)), sustained(seconds.slice(half))];
  const other = sustained([0.001, 0.001], { variant: 'tried first' });
  expect(of([other, ...parts])).toEqual(of([sustained(seconds)]));
});

test('one repeat is its own beginning and end', () => {
  const found = of([sustained([0.01])]);
  expect(found?.ratio).toBe(1);
  expect(found?.windows).toEqual([{ start: 0, seconds: 0.01, rate: flops / 0.01 }]);
});

test('a part that is noisy says why, of its own times', () => {
  const even = Array.from({ length: 400 }, () => 0.01);
  const uneven = Array.from({ length: 200 }, (_, index) => (index % 2 ? 0.01 : 0.015));
  const found = of([sustained([...even, ...uneven])]);
  expect(found?.burst.flags).toEqual([]);
  expect(found?.sustained.flags).toEqual(['two speeds', 'noisy']);
});

test('no samples, nothing', () => {
  expect(of([])).toBeUndefined();
});
