import { median } from '../core/stats/median.ts';
import type { Measurement, PassClock, RoughSeconds } from './clocks.ts';
import { submitPasses, type TimedPass } from './passes.ts';
import type { GpuQueue } from './queue.ts';

/** Waits notice the end of work up to a poll late: this many make that error about 1 % of a batch. */
const leastPolls = 40;
const mostTries = 3;
const roughRuns = 4;

/**
 * Times passes by wall clock, for devices without sound timestamps. Each pass runs n and then 2n
 * times; t = t0 + n t1 gives t1 = (t(2n) - t(n)) / n, free of what submitting and waiting cost.
 */
export class WallClock implements PassClock {
  readonly #queue: GpuQueue;
  readonly #poll: number;

  /** `poll`: seconds by which a wait notices the end of work too late. */
  constructor(queue: GpuQueue, poll: number) {
    this.#queue = queue;
    this.#poll = poll;
  }

  async measure(passes: readonly TimedPass[]): Promise<Measurement> {
    const seconds: number[] = [];
    const runs: number[] = [];
    for (const pass of passes) {
      const count = Math.ceil((leastPolls * this.#poll) / pass.expectedSeconds);
      let fitted = 0;
      let tries = 0;
      // Other work on the machine may slow the shorter batch so much that the fit is impossible.
      while (fitted <= 0 && tries < mostTries) {
        const once = await measureWallSeconds(this.#queue, repeated(pass, count));
        const twice = await measureWallSeconds(this.#queue, repeated(pass, 2 * count));
        fitted = (twice - once) / count;
        tries += 1;
      }
      seconds.push(fitted);
      runs.push(3 * count * tries);
    }
    const sound = seconds.every((value) => value > 0);
    return {
      timer: 'wall-fit',
      seconds,
      runs,
      ...(!sound && { problem: 'twice the work took no longer: the wall clock cannot tell' }),
    };
  }

  async roughSeconds(pass: TimedPass): Promise<RoughSeconds> {
    // The first run may compile the pipeline.
    const once = await measureWallSeconds(this.#queue, [pass]);
    const wall = await measureWallSeconds(this.#queue, repeated(pass, roughRuns));
    return {
      seconds: Math.max(0, (wall - this.#poll) / roughRuns),
      firstSeconds: Math.max(0, once - this.#poll),
    };
  }
}

/** Wall seconds from the first submit until the work is known to be done. */
export async function measureWallSeconds(
  queue: GpuQueue,
  passes: readonly TimedPass[],
): Promise<number> {
  const begin = performance.now();
  await submitPasses(queue, passes);
  return (performance.now() - begin) / 1000;
}

/** How late a wait notices the end of work: the median over waits for next to nothing. */
export async function measurePollSeconds(
  queue: GpuQueue,
  nothing: readonly TimedPass[],
): Promise<number> {
  const waits: number[] = [];
  for (let wait = 0; wait < 5; wait++) waits.push(await measureWallSeconds(queue, nothing));
  return median(waits);
}

function repeated<T>(value: T, count: number): T[] {
  return Array.from({ length: count }, () => value);
}
