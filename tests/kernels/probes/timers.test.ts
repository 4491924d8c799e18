import { expect, test } from 'vitest';
import { chainOpenings } from '../../../src/core/probes/chainVariant.ts';
import { median } from '../../../src/core/stats/median.ts';
import { ChainKernel } from '../../../src/gpu/probes/chainKernel.ts';
import { sizeWorkload } from '../../../src/gpu/probes/workload.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { GpuTimer } from '../../../src/gpu/timer.ts';
import {
  negative,
  openQueue,
  openQueueWithoutTimestamps,
  quantised,
  stampPasses,
  zero,
} from '../timer/simulated.ts';

const variant = chainOpenings('fmaF32')[0];
const lanes = 4096;
/** Largest relative difference from what unspoilt timestamps say of the very same passes. */
const allowed = 0.05;
const mostTries = 12;
const patience = { timeout: 60_000 };

test.for([
  ['65,536 ns', 65_536n],
  ['100 us', 100_000n],
] as const)('f32 passes timed on a grid of %s take what they take', async ([, step]) => {
  let unspoilt: number[] = [];
  const queue = await openQueue((timestamps) => {
    unspoilt = Array.from(timestamps, (value) => Number(value - (timestamps[0] ?? 0n)));
    quantised(step)(timestamps);
  });
  // On a busy machine timestamps may seem to disagree with the wall clock.
  await expect
    .poll(async () => {
      const { timer, pass } = await probe(queue);
      const { seconds, problem } = await timer.measure(Array.from({ length: 9 }, () => pass));
      if (timer.source !== 'timestamp' || problem !== undefined) return problem ?? timer.refusal;
      const ends = unspoilt.filter((_, index) => index % 2 === 1);
      const truth = ends.map((end, index) => (end - (ends[index - 1] ?? 0)) * 1e-9);
      return Math.abs(median(seconds) / median(truth) - 1);
    }, patience)
    .toBeLessThan(allowed);
  queue.device.destroy();
});

test.for([
  ['zero', () => openQueue(zero)],
  ['negative', () => openQueue(negative)],
  ['absent', openQueueWithoutTimestamps],
] as const)('f32 passes timed with timestamps %s take what they take', async ([, open]) => {
  const queue = await open();
  const { timer, pass } = await probe(queue);
  expect(timer.source).toBe('wall-fit');
  const takeTimestamps = stampPasses(queue);
  // A wait may notice the end of work late, more so on a busy machine: single fits err both ways.
  const ratios: number[] = [];
  const agree = () => Math.abs(median(ratios) - 1) < allowed;
  while (ratios.length < 3 || (ratios.length < mostTries && !agree())) {
    const { seconds, runs } = await timer.measure([pass]);
    const timestamps = await takeTimestamps();
    ratios.push((seconds[0] ?? 0) / fittedSeconds(timestamps, (runs[0] ?? 0) / 3));
  }
  expect(agree(), `fitted over true: ${ratios.join(', ')}`).toBe(true);
  queue.device.destroy();
});

/** A pass of about 10 ms, and the timer that the queue's device gets. */
async function probe(queue: GpuQueue) {
  const timer = await GpuTimer.create(queue);
  const kernel = await ChainKernel.create(queue, variant, lanes);
  const { amount, seconds } = await sizeWorkload(timer, kernel, timer.passSeconds(0.01));
  return { timer, pass: { record: kernel.record(amount), expectedSeconds: seconds } };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * What n and then 2n runs of a pass fit by their timestamps (begin, end, begin, end ...), with a
 * usual gap between passes but not the longer ones of a queue that runs dry.
 */
function fittedSeconds(nanoseconds: readonly number[], n: number): number {
  const all = nanoseconds.slice(-6 * n);
  const between = (first: number) =>
    Array.from(
      { length: 3 * n },
      (_, pass) => (all[2 * pass + first + 1] ?? 0) - (all[2 * pass + first] ?? 0),
    );
  const gap = median(between(1).slice(0, -1));
  const lengths = between(0).map((length) => length + gap);
  return ((sum(lengths.slice(n)) - sum(lengths.slice(0, n))) / n) * 1e-9;
}
