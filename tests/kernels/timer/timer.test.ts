import { expect, test } from 'vitest';
import { median } from '../../../src/core/stats/median.ts';
import { Spin } from '../../../src/gpu/probes/spin.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { GpuTimer } from '../../../src/gpu/timer.ts';
import {
  negative,
  openQueue,
  openQueueWithoutTimestamps,
  quantised,
  scaled,
  zero,
  type Spoil,
} from './simulated.ts';

test('sound timestamps are used and time every pass', async () => {
  const queue = await openQueue();
  const timer = await GpuTimer.create(queue);
  expect(timer.refusal).toBeUndefined();
  expect(timer.source).toBe('timestamp');
  expect(timer.gridSeconds).toBeLessThan(1e-5);
  const { seconds, runs, problem } = await timeSpins(queue, timer);
  expect(problem).toBeUndefined();
  expect(runs).toEqual([1, 1, 1, 1, 1, 1]);
  expect(seconds.every((value) => value > 0)).toBe(true);
  queue.device.destroy();
});

test.for([
  ['a grid of 65,536 ns', 65_536n],
  ['a grid of 100 us', 100_000n],
] as const)('timestamps on %s are used and the grid is found', async ([, step]) => {
  const queue = await openQueue(quantised(step));
  const timer = await GpuTimer.create(queue);
  expect(timer.refusal).toBeUndefined();
  expect(timer.source).toBe('timestamp');
  expect(timer.gridSeconds).toBeCloseTo(Number(step) * 1e-9, 12);
  expect(timer.passSeconds(0.001)).toBeCloseTo(Number(step) * 200e-9, 9);
  queue.device.destroy();
});

test.for<[string, Spoil, RegExp]>([
  ['zero', zero, /do not advance/],
  ['negative', negative, /run backwards/],
  ['a grid of 1 ms', quantised(1_000_000n), /steps of 1000 us/],
  ['a clock half too fast', scaled(150n), /in a second of wall time/],
  ['a clock half too slow', scaled(50n), /in a second of wall time/],
])('timestamps that are %s give way to the wall clock', async ([, spoil, reason]) => {
  const queue = await openQueue(spoil);
  const timer = await GpuTimer.create(queue);
  expect(timer.source).toBe('wall-fit');
  expect(timer.refusal).toMatch(reason);
  expect(timer.gridSeconds).toBeUndefined();
  queue.device.destroy();
});

test('wall time by fit agrees with timestamps on the same device', async () => {
  const stamped = await openQueue();
  const unstamped = await openQueueWithoutTimestamps();
  const timers = [await GpuTimer.create(stamped), await GpuTimer.create(unstamped)] as const;
  expect(timers.map(({ source }) => source)).toEqual(['timestamp', 'wall-fit']);
  // Interleaved, and repeated while other work on the machine disturbs one of them.
  const ratios: number[] = [];
  const agree = () => Math.abs(median(ratios) - 1) < 0.1;
  while (ratios.length < 3 || (ratios.length < 9 && !agree())) {
    const byTimestamp = await timeSpins(stamped, timers[0]);
    const byWall = await timeSpins(unstamped, timers[1]);
    ratios.push(median(byWall.seconds) / median(byTimestamp.seconds));
  }
  expect(agree(), `wall over timestamp: ${ratios.join(', ')}`).toBe(true);
  stamped.device.destroy();
  unstamped.device.destroy();
});

test('a cancel ends a measurement at once', async () => {
  const controller = new AbortController();
  const queue = await openQueue(undefined, controller.signal);
  const timer = await GpuTimer.create(queue);
  const spin = await Spin.create(queue);
  const measuring = timer.measure(spin.passes(200, 200, 0.02));
  setTimeout(() => controller.abort(), 50);
  const begin = performance.now();
  await expect(measuring).rejects.toThrow(/abort/i);
  expect(performance.now() - begin).toBeLessThan(500);
  queue.device.destroy();
});

async function timeSpins(queue: GpuQueue, timer: GpuTimer) {
  const spin = await Spin.create(queue);
  return timer.measure(spin.passes(6, 100, 0.01));
}
