import type { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTimer } from '../../src/gpu/timer.ts';

const mostTries = 8;

/**
 * A timer of timestamps, for tests that measure many things. While another program holds the cores
 * sound timestamps may look unsound, and every fit of wall time takes a good part of a second.
 */
export async function timestampTimer(queue: GpuQueue): Promise<GpuTimer> {
  let timer = await GpuTimer.create(queue);
  for (let tries = 1; tries < mostTries && timer.source !== 'timestamp'; tries += 1)
    timer = await GpuTimer.create(queue);
  return timer;
}
