import type { CallTiming } from '../../core/run/events.ts';
import { mostPasses } from '../clocks.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuTimer } from '../timer.ts';
import {
  leastWorkPerSecond,
  oneWorkgroupPerTile,
  type PlanCalls,
  type PlannedCall,
} from './planCalls.ts';
import { planPasses } from './stepPasses.ts';

const samplesWanted = 5;
const fewestSamples = 3;
/** Rounds of samples that the timer may find fault with. */
const mostProblems = 3;
/** Long against what a pass costs. */
const passSeconds = 0.001;
/** Runs of a call in a pass at the most: one that takes next to nothing stays so. */
const mostRepeats = 1000;
/** Rounds in which the repeats of short calls are found. */
const mostRounds = 4;

/** A kernel call as passes of its own, or as several runs in one pass. */
interface CallRun {
  readonly passes: readonly TimedPass[];
  readonly repeats: number;
}

/**
 * Times each kernel call of a plan by itself, in order, step by step: a call has passes of its own,
 * and where it is too short for the timer a pass runs it several times, with data from the cache.
 * `workPerSecond` is the device's rate, by which long calls are cut. Undefined where no sound times
 * of all calls were had within about `mostSeconds`. Calls must be idempotent.
 */
export async function timeCalls(
  timer: GpuTimer,
  { calls }: PlanCalls,
  mostSeconds: number,
  workPerSecond = leastWorkPerSecond,
): Promise<CallTiming[] | undefined> {
  const clock = new RunClock(timer, performance.now() + 1000 * mostSeconds);
  const runs = await clock.longEnough(calls.map((call) => singleRun(call, workPerSecond)));
  const samples = await clock.samples(runs);
  if (samples.length === 0) return undefined;
  return calls.map(({ call: { issuedBytes }, ops, variant }, index) => {
    const { repeats } = runs[index]!;
    const isWarm = repeats > 1 || timer.source === 'wall-fit';
    return {
      ops,
      variant,
      seconds: samples.map((sample) => sample[index]! / repeats),
      timer: timer.source,
      issuedBytes,
      flags: isWarm ? ['warm cache'] : [],
    };
  });
}

function singleRun(planned: PlannedCall, workPerSecond: number): CallRun {
  const passes = planPasses([planned], workPerSecond, oneWorkgroupPerTile).map(
    ({ slices, expectedSeconds, dispatchSeconds }): TimedPass => ({
      expectedSeconds,
      dispatchSeconds,
      record: (pass) => {
        for (const slice of slices) planned.call.record(pass, slice, oneWorkgroupPerTile);
      },
    }),
  );
  return { passes, repeats: 1 };
}

/** Times lists of runs until an end; a time is undefined where the end came first. */
class RunClock {
  readonly #timer: GpuTimer;
  readonly #end: number;

  constructor(timer: GpuTimer, end: number) {
    this.#timer = timer;
    this.#end = end;
  }

  /** The runs, those too short for the timer repeated within their pass. */
  async longEnough(runs: readonly CallRun[]): Promise<readonly CallRun[]> {
    let sized = runs;
    for (let round = 0; round < mostRounds; round += 1) {
      const times = await this.#sizes(sized);
      const next = sized.map((run, index) => this.#repeated(run, runs[index]!, times[index]!));
      if (next.every((run, index) => run === sized[index])) break;
      sized = next;
    }
    return sized;
  }

  /** Seconds of each run, sample by sample; none where there was no time for enough. */
  async samples(runs: readonly CallRun[]): Promise<readonly (readonly number[])[]> {
    const samples: (readonly number[])[] = [];
    let problems = 0;
    while (samples.length < this.#timer.pairs(samplesWanted) && problems <= mostProblems) {
      const sample = await this.#sample(runs);
      if (sample === undefined) break;
      if (sample.problem === undefined) samples.push(sample.seconds);
      else problems += 1;
    }
    return samples.length < this.#timer.pairs(fewestSamples) ? [] : samples;
  }

  /** Roughly how long runs take; a fit of wall times would take too long to size runs by. */
  async #sizes(runs: readonly CallRun[]): Promise<readonly number[]> {
    const expected = runs.map(({ passes }) => sum(passes.map((pass) => pass.expectedSeconds)));
    if (this.#timer.source === 'wall-fit') return expected;
    return (await this.#sample(runs))?.seconds ?? expected;
  }

  #repeated(run: CallRun, single: CallRun, seconds: number): CallRun {
    const wanted = this.#timer.passSeconds(passSeconds);
    const [pass, more] = single.passes;
    // Three quarters will do: times vary from round to round.
    if (pass === undefined || more !== undefined || seconds >= 0.75 * wanted) return run;
    const each = Math.max(seconds / run.repeats, wanted / mostRepeats);
    const repeats = Math.min(mostRepeats, Math.ceil(wanted / each));
    if (repeats <= run.repeats) return run;
    return { repeats, passes: [repeatedPass(pass, repeats, each)] };
  }

  async #sample(
    runs: readonly CallRun[],
  ): Promise<{ readonly seconds: readonly number[]; readonly problem?: string } | undefined> {
    const seconds: number[] = [];
    let problem: string | undefined;
    for (const part of this.#parts(runs)) {
      if (performance.now() > this.#end) return undefined;
      const measured = await this.#timer.measure(part.flatMap(({ passes }) => passes));
      problem ??= measured.problem;
      let first = 0;
      for (const { passes } of part) {
        seconds.push(sum(measured.seconds.slice(first, first + passes.length)));
        first += passes.length;
      }
    }
    return { seconds, ...(problem !== undefined && { problem }) };
  }

  /** What is measured at once: a fit of wall times takes long for each run. */
  #parts(runs: readonly CallRun[]): readonly (readonly CallRun[])[] {
    if (this.#timer.source === 'wall-fit') return runs.map((run) => [run]);
    const parts: CallRun[][] = [];
    let room = 0;
    for (const run of runs) {
      if (run.passes.length > room) {
        parts.push([]);
        room = mostPasses;
      }
      parts.at(-1)?.push(run);
      room -= run.passes.length;
    }
    return parts;
  }
}

/** `seconds`: of one run, one or more dispatches. */
function repeatedPass({ record }: TimedPass, repeats: number, seconds: number): TimedPass {
  return {
    expectedSeconds: repeats * seconds,
    dispatchSeconds: seconds,
    record: (pass) => {
      for (let run = 0; run < repeats; run += 1) record(pass);
    },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
