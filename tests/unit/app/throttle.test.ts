import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from '../../../src/app/throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('calls soon after a pause, then at most once an interval, and never forgets the last ask', () => {
  const calls: number[] = [];
  const ask = throttle(300, () => calls.push(performance.now()));
  const start = performance.now();
  for (let elapsed = 0; elapsed < 1000; elapsed += 10) {
    ask();
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(1000);
  expect(calls.map((time) => time - start)).toEqual([0, 300, 600, 900, 1200]);
});
