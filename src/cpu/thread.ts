import { Barrier } from './barrier.ts';
import { sizeBlocks, type BlockSize } from './blocks.ts';
import { clockStepSeconds, secondsNow } from './clock.ts';
import { Kernels } from './kernels.ts';
import { allocate, shareOf, threadState, type ThreadState } from './memory.ts';
import type { BlockTimes } from '../core/probes/blockWindows.ts';
import { chainRunner } from './probes/chainRunner.ts';
import type { Check, Runner, Work } from './probes/runner.ts';
import { PointerChase } from './probes/chaseRunner.ts';
import { Share } from './probes/share.ts';
import { streamRunner } from './probes/streamRunner.ts';

/** A thread's place in a team, and the memory that it works on. */
export interface Place {
  readonly module: WebAssembly.Module;
  readonly index: number;
  readonly threads: number;
  /** Shared memory of the team; absent where a thread allocates its own. */
  readonly memory?: WebAssembly.Memory;
  readonly dataSize: number;
  /** The least data that is of use. */
  readonly leastSize: number;
}

export interface Measurement {
  readonly times: BlockTimes;
  readonly check: Check;
}

/** What one CPU thread does when the coordinator asks. Times are in seconds. */
export class CpuThread {
  #member: Member | undefined;

  clockStep(): number {
    return clockStepSeconds();
  }

  /** Joins a team; returns the data's size, 0 where there is no memory. */
  async join(place: Place): Promise<number> {
    this.#member = undefined;
    const { threads, dataSize, leastSize } = place;
    const allocation =
      place.memory === undefined
        ? allocate(threads, dataSize, leastSize, false)
        : { memory: place.memory, dataSize };
    if (allocation === undefined) return 0;
    this.#member = await Member.create(place, allocation.memory, allocation.dataSize);
    return allocation.dataSize;
  }

  /** Writes the first `size` bytes of this thread's share. */
  touch(size: number): void {
    this.#joined().share.touch(size);
  }

  sizeBlocks(work: Work, blockSeconds: number, warmupSeconds: number): BlockSize {
    return this.#joined().sizeBlocks(work, blockSeconds, warmupSeconds);
  }

  measure(work: Work, count: number, seconds: number): Measurement {
    return this.#joined().measure(work, count, seconds);
  }

  /** Seconds of one run of so many repetitions. */
  timeRun(work: Work, count: number): number {
    return this.#joined().timeRun(work, count);
  }

  /** Leaves the team, so that its memory can be freed. */
  leave(): void {
    this.#member = undefined;
  }

  #joined(): Member {
    if (this.#member === undefined) throw new Error('the thread has joined no team');
    return this.#member;
  }
}

/** A thread within a team. */
class Member {
  readonly share: Share;
  readonly #kernels: Kernels;
  readonly #state: ThreadState;
  readonly #barrier: Barrier;
  readonly #pointerChase: PointerChase;

  private constructor(kernels: Kernels, place: Place, dataSize: number) {
    const { index, threads } = place;
    this.#kernels = kernels;
    this.#state = threadState(index);
    this.#barrier = new Barrier(kernels.memory, threads);
    this.#pointerChase = new PointerChase(
      kernels,
      this.#state,
      shareOf(dataSize, threads, index).base,
    );
    this.share = new Share(kernels, this.#state, shareOf(dataSize, threads, index), index);
  }

  static async create(place: Place, memory: WebAssembly.Memory, dataSize: number): Promise<Member> {
    return new Member(await Kernels.instantiate(place.module, memory), place, dataSize);
  }

  sizeBlocks(work: Work, blockSeconds: number, warmupSeconds: number): BlockSize {
    const runner = this.#runner(work);
    runner.reset();
    return sizeBlocks((n) => runner.run(n), runner.unit, blockSeconds, warmupSeconds, secondsNow);
  }

  /** Blocks of `count` until every thread of the team has worked for `seconds`. */
  measure(work: Work, count: number, seconds: number): Measurement {
    const runner = this.#runner(work);
    const barrier = this.#barrier;
    const ends: number[] = [];
    let start: number | undefined;
    let finished = false;
    let blocks = 0;
    runner.reset();
    barrier.wait();
    barrier.start();
    for (;;) {
      runner.run(count);
      blocks++;
      const now = secondsNow();
      // The others stopped while this block ran: it does not count.
      if (barrier.cancelled() || (finished && barrier.allFinished())) break;
      if (start !== undefined) ends.push(now);
      else if (barrier.allStarted()) start = now;
      if (!finished && start !== undefined && now - start >= seconds) {
        finished = true;
        barrier.finish();
        if (barrier.allFinished()) break;
      }
    }
    return { times: { start: start ?? 0, ends }, check: runner.check(count * blocks) };
  }

  timeRun(work: Work, count: number): number {
    const runner = this.#runner(work);
    runner.reset();
    const start = secondsNow();
    runner.run(count);
    return secondsNow() - start;
  }

  #runner(work: Work): Runner {
    switch (work.kind) {
      case 'chains':
        return chainRunner(this.#kernels, this.#state.chains, work.variant);
      case 'stream':
        return streamRunner(this.#kernels, this.#state, this.share, work.stream, work.arraySize);
      case 'chase':
        return this.#pointerChase.runner(work.size);
    }
  }
}
