import type { BlockTimes } from '../core/probes/blockWindows.ts';
import {
  clockOffset,
  overlapOf,
  type ClockOffset,
  type ClockPing,
} from '../core/probes/overlap.ts';
import { Barrier } from './barrier.ts';
import { secondsNow } from './clock.ts';
import type { ThreadHandle } from './pool.ts';
import type { Measurement } from './thread.ts';

/** How the threads of a team come to be at work at the same time. */
export interface Meeting {
  /** Whether the threads share memory. */
  readonly sharesMemory: boolean;
  /**
   * Lets every thread `measure` for at least `seconds`; of the times that come back only those
   * count, and are returned, at which all threads were at work.
   */
  run(
    seconds: number,
    measure: (seconds: number) => Promise<readonly Measurement[]>,
  ): Promise<readonly Measurement[]>;
  /** Stops what can be stopped. */
  cancel(): void;
}

/** On shared memory threads wait for each other at a barrier and stop together. */
export class BarrierMeeting implements Meeting {
  readonly sharesMemory = true;
  readonly #barrier: Barrier;

  constructor(memory: WebAssembly.Memory, threads: number) {
    this.#barrier = new Barrier(memory, threads);
  }

  run(
    seconds: number,
    measure: (seconds: number) => Promise<readonly Measurement[]>,
  ): Promise<readonly Measurement[]> {
    return measure(seconds);
  }

  cancel(): void {
    this.#barrier.cancel();
  }
}

/** Threads are expected to begin within this time of each other; doubled where they do not. */
const leastLeadSeconds = 2e-3;
/** What is left of a longer lead after a run that met: a disturbance passes. */
const leadDecay = 0.7;
const mostTries = 3;
/** Share of the wanted time that is enough: block ends seldom coincide with the overlap's. */
const enough = 0.8;

/**
 * Without shared memory each thread is started by a message and works longer than is wanted. What
 * counts is what they did while all of them were surely at work, by the bounds of their clocks.
 */
export class OverlapMeeting implements Meeting {
  readonly sharesMemory = false;
  readonly #offsets: readonly ClockOffset[];
  readonly #leastLeadSeconds: number;
  #leadSeconds: number;

  constructor(offsets: readonly ClockOffset[]) {
    this.#offsets = offsets;
    const widest = Math.max(...offsets.map(({ low, high }) => high - low));
    this.#leastLeadSeconds = offsets.length === 1 ? 0 : leastLeadSeconds + 2 * widest;
    this.#leadSeconds = this.#leastLeadSeconds;
  }

  async run(
    seconds: number,
    measure: (seconds: number) => Promise<readonly Measurement[]>,
  ): Promise<readonly Measurement[]> {
    for (let tries = 1; ; tries++) {
      const measurements = await measure(seconds + this.#leadSeconds);
      const times = overlapOf(
        measurements.map((measurement) => measurement.times),
        this.#offsets,
      );
      const met = times.every((each) => workedSeconds(each) >= seconds * enough);
      this.#leadSeconds = Math.max(
        this.#leastLeadSeconds,
        this.#leadSeconds * (met ? leadDecay : 2),
      );
      if (met || tries === mostTries)
        return measurements.map(({ check }, index) => ({ times: times[index]!, check }));
    }
  }

  /** A thread that works hears nothing. */
  cancel(): void {}
}

function workedSeconds({ start, ends }: BlockTimes): number {
  return (ends.at(-1) ?? start) - start;
}

const pingsPerThread = 8;

/**
 * Bounds the clocks of idle threads, asking one after the other. The clock of a thread alone is held
 * against no other.
 */
export async function clockOffsetsOf(
  threads: readonly ThreadHandle[],
  clockStepSeconds: number,
): Promise<ClockOffset[]> {
  if (threads.length === 1) return [{ low: 0, high: 0 }];
  const offsets: ClockOffset[] = [];
  for (const thread of threads) {
    const pings: ClockPing[] = [];
    while (pings.length < pingsPerThread) {
      const asked = secondsNow();
      const told = await thread.call(thread.client.now());
      pings.push({ asked, told, answered: secondsNow() });
    }
    offsets.push(clockOffset(pings, clockStepSeconds));
  }
  return offsets;
}
