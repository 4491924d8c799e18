import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CompileClock } from '../../../src/gpu/kernels/compileClock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function after<T>(milliseconds: number, end: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      try {
        resolve(end());
      } catch (error) {
        reject(error);
      }
    }, milliseconds);
  });
}

test('compilations at the same time count once, gaps between them not at all', async () => {
  const clock = new CompileClock();
  const both = Promise.all([clock.time(after(300, () => 'a')), clock.time(after(500, () => 'b'))]);
  await vi.advanceTimersByTimeAsync(500);
  expect(await both).toEqual(['a', 'b']);
  expect(clock.seconds).toBeCloseTo(0.5, 9);
  await vi.advanceTimersByTimeAsync(2000);
  const third = clock.time(after(250, () => 'c'));
  await vi.advanceTimersByTimeAsync(250);
  await third;
  expect(clock.seconds).toBeCloseTo(0.75, 9);
});

test('a shader that is refused took its time too', async () => {
  const clock = new CompileClock();
  const refused = expect(
    clock.time(
      after(100, () => {
        throw new Error('refused');
      }),
    ),
  ).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(100);
  await refused;
  expect(clock.seconds).toBeCloseTo(0.1, 9);
});
