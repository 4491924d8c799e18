import { roundSeconds } from '../core/probes/blockWindows.ts';
import { nonlinearityOfLast, type Pair } from '../core/probes/linearity.ts';
import type { BlockSize } from './blocks.ts';
import { secondsNow } from './clock.ts';
import type { Meeting } from './meeting.ts';
import type { ThreadHandle } from './pool.ts';
import type { CountedTime } from './probes/overheads.ts';
import type { Check, Work } from './probes/runner.ts';

/** Repeats of a team's work. */
export interface TeamMeasurement {
  /** Seconds in which the team does a block for each of its threads, one value a slice. */
  readonly seconds: readonly number[];
  /** Wrong where any thread's is. */
  readonly check: Check;
}

/** How long to look for undisturbed runs of n and 2n. */
const linearityMilliseconds = 500;

/** Threads that work at the same time, on one memory or each on its own. */
export class Team {
  readonly dataSize: number;
  readonly #threads: readonly ThreadHandle[];
  readonly #meeting: Meeting;
  readonly #signal: AbortSignal;

  constructor(
    threads: readonly ThreadHandle[],
    dataSize: number,
    meeting: Meeting,
    signal: AbortSignal,
  ) {
    this.#threads = threads;
    this.dataSize = dataSize;
    this.#meeting = meeting;
    this.#signal = signal;
    signal.addEventListener('abort', this.#cancel);
  }

  get length(): number {
    return this.#threads.length;
  }

  get sharesMemory(): boolean {
    return this.#meeting.sharesMemory;
  }

  /** Every thread writes the first `size` bytes of its share. */
  async touch(size: number): Promise<void> {
    await this.#all((thread) => thread.client.touch(size));
  }

  /** Sizes blocks on all threads at once, warming them up, and takes the smallest. */
  async sizeBlocks(work: Work, blockSeconds: number, warmupSeconds: number): Promise<BlockSize> {
    const sizes = await this.#all((thread) =>
      thread.client.sizeBlocks(work, blockSeconds, warmupSeconds),
    );
    return sizes.reduce((least, size) => (size.count < least.count ? size : least));
  }

  /** Runs blocks on all threads together for so many slices of at least `sliceSeconds`. */
  async measure(
    work: Work,
    block: BlockSize,
    sliceSeconds: number,
    slices: number,
  ): Promise<TeamMeasurement> {
    // A block that outlasts a slice is a slice.
    const slice = Math.max(sliceSeconds, block.seconds);
    const measurements = await this.#meeting.run(slice * slices, (seconds) =>
      this.#all((thread) => thread.client.measure(work, block.count, seconds)),
    );
    return {
      seconds: roundSeconds(
        measurements.map(({ times }) => times),
        slice,
      ),
      check:
        measurements.map(({ check }) => check).find(({ kind }) => kind === 'wrong') ??
        measurements[0]!.check,
    };
  }

  /** Why the time of `work` is not proportional to its count on the first thread, or undefined. */
  async nonlinearity(work: Work, count: number): Promise<string | undefined> {
    const timeOf = (n: number) => this.#first((thread) => thread.client.timeRun(work, n));
    const pairs: Pair[] = [];
    const deadline = performance.now() + linearityMilliseconds;
    let reason: string | undefined;
    do {
      pairs.push({ single: await timeOf(count), double: await timeOf(2 * count) });
      reason = nonlinearityOfLast(pairs);
    } while (reason !== undefined && performance.now() < deadline);
    return reason;
  }

  /** Messages to the first thread, each sent when the one before is answered. */
  async timeMessages(count: number): Promise<CountedTime> {
    const start = secondsNow();
    for (let sent = 0; sent < count; sent++) await this.#first((thread) => thread.client.now());
    return { seconds: secondsNow() - start };
  }

  /** Meetings of all threads at their barrier. */
  async timeBarriers(count: number): Promise<CountedTime> {
    const times = await this.#all((thread) => thread.client.timeBarriers(count));
    return times.find(({ fault }) => fault !== undefined) ?? times[0]!;
  }

  /** Laps in which each thread wakes the next. */
  async timeWakeUps(laps: number): Promise<CountedTime> {
    const [first] = await this.#all((thread) => thread.client.timeWakeUps(laps));
    return first!;
  }

  /** Gives the memory back. */
  async disband(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#cancel);
    await Promise.all(this.#threads.map((thread) => thread.call(thread.client.leave())));
  }

  readonly #cancel = (): void => this.#meeting.cancel();

  async #first<T>(task: (thread: ThreadHandle) => Promise<T>): Promise<T> {
    this.#signal.throwIfAborted();
    const thread = this.#threads[0]!;
    return thread.call(task(thread));
  }

  /** Throws the signal's reason when cancelled, a `CpuFault` when a thread dies. */
  async #all<T>(task: (thread: ThreadHandle) => Promise<T>): Promise<T[]> {
    this.#signal.throwIfAborted();
    const results = await Promise.all(this.#threads.map((thread) => thread.call(task(thread))));
    this.#signal.throwIfAborted();
    return results;
  }
}
