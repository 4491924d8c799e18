import type { StepRates } from '../../core/nn/plan.ts';
import type { Barrier } from '../barrier.ts';
import { secondsNow } from '../clock.ts';
import type { Phase } from './opCall.ts';
import type { TileCounter } from './tileCounter.ts';

/** Threads that share tiles: those of a replica, or those of all replicas. */
export interface Crew {
  readonly barrier: Barrier;
  readonly counter: TileCounter;
}

/** What a thread tells of a step. */
export interface StepTimes {
  readonly seconds: number;
  /** Spent waiting for the other threads of the replica. */
  readonly barrierSeconds: number;
  /** Spent on the average of the replicas' gradients, waiting for the other replicas included. */
  readonly allReduceSeconds: number;
  /** Of each op, from the moment all threads were ready for it until all were done. */
  readonly opSeconds: Float64Array;
}

/** The ops of a step, each with its phases, and what happens to the gradients before the update. */
export interface StepProgram {
  readonly ops: readonly (readonly Phase[])[];
  /** Index in `ops` of the update; their number where nothing is updated. */
  readonly update: number;
  /** The average of the replicas' gradients; absent where there is one replica. */
  readonly average?: Phase;
}

/** One thread's part in the steps of a replica. */
export class StepRunner {
  readonly #program: StepProgram;
  readonly #replica: Crew;
  readonly #all: Crew;

  /** `all` is the crew of all replicas; all threads of a crew call alike. */
  constructor(program: StepProgram, replica: Crew, all: Crew) {
    this.#program = program;
    this.#replica = replica;
    this.#all = all;
  }

  /** Whether the step that just ran was cut short: then what is in memory is of no use. */
  get cancelled(): boolean {
    return this.#all.barrier.cancelled();
  }

  /** Runs all ops, averaging gradients before the update. */
  step(rates: StepRates): StepTimes {
    const { ops, update, average } = this.#program;
    this.#all.barrier.wait();
    return this.#timed((times) => {
      this.#runOps(0, update, rates, times);
      if (average !== undefined) this.#average(average, rates, times);
      this.#runOps(update, ops.length, rates, times);
    });
  }

  /** Runs the ops before the update, or the update and what follows it. */
  part(part: 'gradients' | 'update', rates: StepRates): StepTimes {
    const { ops, update } = this.#program;
    return this.#timed((times) => {
      if (part === 'gradients') this.#runOps(0, update, rates, times);
      else this.#runOps(update, ops.length, rates, times);
    });
  }

  #timed(run: (times: Mutable<StepTimes>) => void): StepTimes {
    const times = {
      seconds: 0,
      barrierSeconds: 0,
      allReduceSeconds: 0,
      opSeconds: new Float64Array(this.#program.ops.length),
    };
    const start = secondsNow();
    run(times);
    times.seconds = secondsNow() - start;
    return times;
  }

  #runOps(first: number, end: number, rates: StepRates, times: Mutable<StepTimes>): void {
    let ready = secondsNow();
    for (let op = first; op < end && !this.cancelled; op++) {
      for (const phase of this.#program.ops[op]!)
        times.barrierSeconds += runPhase(phase, this.#replica, rates);
      const done = secondsNow();
      times.opSeconds[op] = done - ready;
      ready = done;
    }
  }

  #average(average: Phase, rates: StepRates, times: Mutable<StepTimes>): void {
    const start = secondsNow();
    this.#all.barrier.wait();
    runPhase(average, this.#all, rates);
    times.allReduceSeconds = secondsNow() - start;
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Runs tiles until none is left and waits for the others; returns the seconds of waiting. */
function runPhase(phase: Phase, { barrier, counter }: Crew, rates: StepRates): number {
  for (let tile = counter.claim(); tile < phase.tiles; tile = counter.claim()) {
    if (barrier.cancelled()) break;
    phase.run(tile, rates);
  }
  const start = secondsNow();
  barrier.wait();
  counter.advance();
  return secondsNow() - start;
}
