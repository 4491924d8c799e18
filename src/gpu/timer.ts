import { judgeTimestamps, leastGridSteps, type TimedBatch } from '../core/probes/timestamps.ts';
import type { LongestWork } from '../core/run/events.ts';
import type { Measurement, PassClock } from './clocks.ts';
import { GpuFault, gpuFault } from './faults.ts';
import { longer, noWork } from './longestWork.ts';
import type { TimedPass } from './passes.ts';
import { Spin } from './probes/spin.ts';
import type { GpuQueue } from './queue.ts';
import { TimestampClock } from './timestampClock.ts';
import { measurePollSeconds, measureWallSeconds, WallClock } from './wallClock.ts';

/** Clocks of a device rise for 200 to 440 ms and fall again when it idles. */
const warmUpSeconds = 0.5;
const idleSeconds = 0.1;
/** A batch of the examination: passes, and seconds of them all. */
const batchPasses = 16;
const batchSeconds = 0.1;
/** Further rounds of batches before timestamps that disagree with the wall clock are given up. */
const mostRetries = 5;
/** Counters that tick in fractions of a nanosecond hide their grid: assume no finer one than this. */
const finestGridSeconds = 5e-6;

/**
 * Times work on the GPU by the best means that the device has: timestamps where they are there and
 * proved sound, else wall time by fit. Warms the device up before the first measurement and after
 * every pause of more than 100 ms.
 */
export class GpuTimer {
  readonly source: Measurement['timer'];
  /** The smallest step of the timestamps; undefined under wall time. */
  readonly gridSeconds: number | undefined;
  /** Why timestamps are not used, where they are not. */
  readonly refusal: string | undefined;
  readonly #queue: GpuQueue;
  readonly #clock: PassClock;
  readonly #warming: readonly TimedPass[];
  #busyUntil: number;
  #longest = noWork;

  private constructor(queue: GpuQueue, warming: readonly TimedPass[], examined: Examined) {
    this.#queue = queue;
    this.#clock = examined.clock;
    this.#warming = warming;
    this.source = examined.source;
    this.gridSeconds = examined.gridSeconds;
    this.refusal = examined.refusal;
    this.#busyUntil = performance.now();
  }

  /**
   * Examines the device's timestamps; takes about a second, which also warms the device up. A software
   * adapter is the processor, which works in what is a pause of the device: it is not warmed up again.
   */
  static async create(queue: GpuQueue, isSoftware = false): Promise<GpuTimer> {
    const spin = await Spin.create(queue);
    const poll = await measurePollSeconds(queue, spin.passes(1, 1, 0));
    const passes = await calibrate(queue, spin, poll);
    const warming = isSoftware ? [] : passes(warmUpSeconds);
    return new GpuTimer(queue, warming, await examine(queue, passes, poll));
  }

  /** The pass length to aim at: what is wanted, or 200 steps of the timestamps' grid. */
  passSeconds(wanted: number): number {
    if (this.gridSeconds === undefined) return wanted;
    return Math.max(wanted, leastGridSteps * Math.max(this.gridSeconds, finestGridSeconds));
  }

  /** How many pairs of runs to time: fits take a hundred times longer than timestamps. */
  pairs(wanted: number): number {
    return this.source === 'wall-fit' ? 1 : wanted;
  }

  /** The longest work that this timer has timed. */
  get longest(): LongestWork {
    return this.#longest;
  }

  /**
   * Roughly how long a pass takes of which little is known (it should take `expectedSeconds`, or next to
   * nothing); for sizing work, never a result.
   */
  async roughSeconds(record: TimedPass['record'], expectedSeconds = 0): Promise<number> {
    const pass = { record, expectedSeconds };
    const { seconds, firstSeconds } = await this.#clock.roughSeconds(pass);
    const longest = longer(this.#longest, [pass], { seconds: [seconds] });
    const firstRunSeconds = Math.max(longest.firstRunSeconds, firstSeconds);
    this.#longest = { ...longest, firstRunSeconds };
    this.#busyUntil = performance.now();
    return seconds;
  }

  /** Runs the passes in order, keeping the device busy, and times each. */
  async measure(passes: readonly TimedPass[]): Promise<Measurement> {
    await this.#queue.settled(this.#queue.gate.pass());
    const hasIdled = performance.now() - this.#busyUntil > 1000 * idleSeconds;
    if (hasIdled && this.#warming.length > 0) await measureWallSeconds(this.#queue, this.#warming);
    const measurement = await this.#clock.measure(passes);
    this.#longest = longer(this.#longest, passes, measurement);
    this.#busyUntil = performance.now();
    return measurement;
  }
}

interface Examined {
  readonly clock: PassClock;
  readonly source: Measurement['timer'];
  readonly gridSeconds?: number;
  readonly refusal?: string;
}

/** Makes spinning passes that take about so long together. */
type Spinning = (seconds: number) => TimedPass[];

/** Doubles the spin's trips from one until a batch of it takes about `batchSeconds`. */
async function calibrate(queue: GpuQueue, spin: Spin, poll: number): Promise<Spinning> {
  for (let trips = 1; trips < 2 ** 30; trips *= 2) {
    const wall = await measureWallSeconds(queue, spin.passes(batchPasses, trips, 0));
    const each = (wall - poll) / batchPasses;
    if (wall - poll >= batchSeconds)
      return (seconds) => spin.passes(Math.ceil(seconds / each) || 1, trips, each);
  }
  throw new GpuFault(gpuFault('validation', 'the device finishes any amount of work at once'));
}

/** Compares timestamps with the wall clock over a short and a long batch. */
async function examine(queue: GpuQueue, spinning: Spinning, poll: number): Promise<Examined> {
  const verdict = await judge(queue, spinning, poll);
  switch (verdict.kind) {
    case 'unsound':
      return { clock: new WallClock(queue, poll), source: 'wall-fit', refusal: verdict.reason };
    case 'sound':
      return { clock: verdict.clock, source: 'timestamp', gridSeconds: verdict.gridSeconds };
  }
}

async function judge(queue: GpuQueue, spinning: Spinning, poll: number) {
  if (!queue.device.features.has('timestamp-query'))
    return { kind: 'unsound', reason: 'the device has no timestamps' } as const;
  const clock = await TimestampClock.create(queue, poll);
  // The first use of anything is slow, and other work on the machine may delay a wait.
  await clock.timestamps(spinning(0));
  const batches = await timedBatches(clock, spinning, poll);
  let verdict = judgeTimestamps(batches);
  const isOpen = () => verdict.kind === 'unsound' && verdict.isOpen;
  for (let retry = 0; retry < mostRetries && isOpen(); retry++) {
    batches.push(...(await timedBatches(clock, spinning, poll)));
    verdict = judgeTimestamps(batches);
  }
  return { ...verdict, clock };
}

/** A short and a long batch, by both clocks. */
async function timedBatches(clock: TimestampClock, spinning: Spinning, poll: number) {
  const batches: TimedBatch[] = [];
  for (const seconds of [batchSeconds, batchSeconds + Math.max(3 * batchSeconds, 25 * poll)]) {
    const passes = spinning(seconds);
    const begin = performance.now();
    const timestamps = await clock.timestamps(passes);
    batches.push({ timestamps, wallSeconds: (performance.now() - begin) / 1000 });
  }
  return batches;
}
