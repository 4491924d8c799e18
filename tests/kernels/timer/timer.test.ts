import { expect, test } from 'vitest';
import { Spin } from '../../../src/gpu/probes/spin.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { GpuTimer } from '../../../src/gpu/timer.ts';
import { negative, openQueue, quantised, scaled, zero, type Spoil } from './simulated.ts';

test('sound timestamps are used and time every pass', async () => {
  const queue = await openQueue();
  const timer = await GpuTimer.create(queue);
  expect(timer.refusal).toBeUndefined();
  expect(timer.source).toBe('timestamp');
  expect(timer.gridSeconds).toBeLessThan(1e-5);
  // Other work on the machine may delay a wait so much that the clocks seem to disagree.
  await expect
    .poll(
      async () => {
        const { seconds, runs, problem } = await timeSpins(queue, timer);
        return { runs, problem, advancing: seconds.every((value) => value > 0) };
      },
      { timeout: 30_000 },
    )
    .toEqual({ runs: [1, 1, 1, 1, 1, 1], problem: undefined, advancing: true });
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
