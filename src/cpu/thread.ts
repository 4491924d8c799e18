import type { StepRates } from '../core/nn/plan.ts';
import { Barrier } from './barrier.ts';
import { blocksAlone, blocksTogether } from './blockLoop.ts';
import { sizeBlocks, type BlockSize } from './blocks.ts';
import { clockStepSeconds, secondsNow } from './clock.ts';
import { Kernels } from './kernels.ts';
import { allocate, shareOf, threadState, type ThreadState } from './memory.ts';
import type { BlockTimes } from '../core/probes/blockWindows.ts';
import { chainRunner } from './probes/chainRunner.ts';
import type { Check, Runner, Work } from './probes/runner.ts';
import { PointerChase } from './probes/chaseRunner.ts';
import { MixedData } from './probes/mixedRunner.ts';
import type { CountedTime } from './probes/overheads.ts';
import { Share } from './probes/share.ts';
import { streamRunner } from './probes/streamRunner.ts';
import { WakeRing } from './wakeRing.ts';
import type { StepTimes } from './train/stepRunner.ts';
import { TrainingThread, type TrainingPlace } from './train/trainingThread.ts';

/** A thread's place in a team, and the memory that it works on. */
export interface Place {
  readonly module: WebAssembly.Module;
  readonly index: number;
  readonly threads: number;
  /** Shared memory of the team; absent where a thread allocates its own. */
  readonly memory?: WebAssembly.Memory;
  /** Of all threads together. */
  readonly dataSize: number;
  /** The least data that is of use, likewise. */
  readonly leastSize: number;
}

export interface Measurement {
  readonly times: BlockTimes;
  readonly check: Check;
}

/** What one CPU thread does when the coordinator asks. Times are in seconds. */
export class CpuThread {
  #member: Member | undefined;
  #training: TrainingThread | undefined;

  clockStep(): number {
    return clockStepSeconds();
  }

  /** What the thread's clock shows. */
  now(): number {
    return secondsNow();
  }

  /**
   * Joins a team; returns the size of its data, or what it would be if every thread's own memory were
   * as large as this one's; 0 where there is no memory.
   */
  async join(place: Place): Promise<number> {
    this.#member = undefined;
    const { threads, memory, dataSize, leastSize } = place;
    if (memory !== undefined) {
      this.#member = await Member.create(place, memory, dataSize);
      return dataSize;
    }
    const own = allocate(1, Math.floor(dataSize / threads), Math.floor(leastSize / threads), false);
    if (own === undefined) return 0;
    this.#member = await Member.create(place, own.memory, own.dataSize);
    return own.dataSize * threads;
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

  /** Meets the other threads so many times. */
  timeBarriers(count: number): CountedTime {
    return this.#joined().timeBarriers(count);
  }

  /** Sleeps and is woken, and wakes, once a lap. */
  timeWakeUps(laps: number): CountedTime {
    return this.#joined().timeWakeUps(laps);
  }

  /** Leaves the team, so that its memory can be freed. */
  leave(): void {
    this.#member = undefined;
  }

  /** Joins a training run; false where there is no memory. */
  async joinTraining(place: TrainingPlace): Promise<boolean> {
    this.#training = await TrainingThread.create(place);
    return this.#training !== undefined;
  }

  /** This thread's part of a step, on shared memory. */
  trainStep(rates: StepRates): StepTimes {
    return this.#trains().step(rates);
  }

  /** A step up to the gradients, or what follows their average; on memory of its own. */
  trainPart(part: 'gradients' | 'update', rates: StepRates): StepTimes {
    return this.#trains().part(part, rates);
  }

  writeTraining(address: number, bytes: Uint8Array): void {
    this.#trains().write(address, bytes);
  }

  readTraining(address: number, size: number): Uint8Array<ArrayBuffer> {
    return this.#trains().read(address, size);
  }

  /** Leaves the run, so that its memory can be freed. */
  leaveTraining(): void {
    this.#training = undefined;
  }

  #trains(): TrainingThread {
    if (this.#training === undefined) throw new Error('the thread has joined no training run');
    return this.#training;
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
  /** Undefined on memory of the thread's own. */
  readonly #barrier: Barrier | undefined;
  /** On shared memory. */
  readonly #wakeRing: WakeRing | undefined;
  readonly #pointerChase: PointerChase;
  readonly #mixedData: MixedData;

  private constructor(kernels: Kernels, place: Place, dataSize: number) {
    // On memory of its own a thread is the first and only one.
    const { index, threads } = place.memory ? place : { index: 0, threads: 1 };
    const share = shareOf(dataSize, threads, index);
    this.#kernels = kernels;
    this.#state = threadState(index);
    this.#barrier = place.memory && new Barrier(place.memory, threads);
    this.#pointerChase = new PointerChase(kernels, this.#state, share.base);
    this.share = new Share(kernels, this.#state, share, place.index);
    this.#mixedData = new MixedData(kernels, this.#state, this.share);
    const seats = Array.from({ length: threads }, (_, each) => threadState(each).seat);
    this.#wakeRing = this.#barrier && new WakeRing(kernels.memory, seats, index, this.#barrier);
  }

  static async create(place: Place, memory: WebAssembly.Memory, dataSize: number): Promise<Member> {
    return new Member(await Kernels.instantiate(place.module, memory), place, dataSize);
  }

  sizeBlocks(work: Work, blockSeconds: number, warmupSeconds: number): BlockSize {
    const runner = this.#runner(work);
    runner.reset();
    return sizeBlocks((n) => runner.run(n), runner.unit, blockSeconds, warmupSeconds, secondsNow);
  }

  /**
   * Blocks of `count` for `seconds`: on shared memory until every thread of the team has worked so
   * long, on its own without regard to the others.
   */
  measure(work: Work, count: number, seconds: number): Measurement {
    const runner = this.#runner(work);
    let blocks = 0;
    const runBlock = () => {
      runner.run(count);
      blocks++;
    };
    runner.reset();
    const times = this.#barrier
      ? blocksTogether(runBlock, this.#barrier, seconds)
      : blocksAlone(runBlock, seconds);
    return { times, check: runner.check(count * blocks) };
  }

  timeRun(work: Work, count: number): number {
    const runner = this.#runner(work);
    runner.reset();
    const start = secondsNow();
    runner.run(count);
    return secondsNow() - start;
  }

  timeBarriers(count: number): CountedTime {
    const barrier = this.#barrier;
    if (barrier === undefined) throw new Error('threads without shared memory have no barrier');
    barrier.wait();
    const meetings = barrier.meetings;
    const start = secondsNow();
    for (let round = 0; round < count; round++) barrier.wait();
    const seconds = secondsNow() - start;
    const met = (barrier.meetings - meetings) | 0;
    return met === count ? { seconds } : { seconds, fault: `threads met ${met} times` };
  }

  timeWakeUps(laps: number): CountedTime {
    if (this.#barrier === undefined || this.#wakeRing === undefined)
      throw new Error('threads without shared memory cannot wake each other');
    this.#barrier.wait();
    const start = secondsNow();
    this.#wakeRing.run(laps);
    return { seconds: secondsNow() - start };
  }

  #runner(work: Work): Runner {
    switch (work.kind) {
      case 'chains':
        return chainRunner(this.#kernels, this.#state.chains, work.variant);
      case 'stream':
        return streamRunner(this.#kernels, this.#state, this.share, work.stream, work.arraySize);
      case 'chase':
        return this.#pointerChase.runner(work.size);
      case 'mixed':
        return this.#mixedData.runner(work.arithmetic, work.shape, work.size);
    }
  }
}
