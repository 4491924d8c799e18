import type { CallTiming } from '../../core/run/events.ts';
import type { GpuTimer } from '../timer.ts';
import type { GpuQueue } from '../queue.ts';
import { mostPasses } from '../clocks.ts';
import { measureWallSeconds } from '../wallClock.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuTrainer } from './gpuTrainer.ts';

/** One timed step, or the mean of some in a row where one is too short for the timer. */
export interface StepSample {
  readonly seconds: number;
  /** Why it must not be used, where it must not. */
  readonly problem?: string;
}

/** Steps of a wall-clock sample last this long at the least: waits end some milliseconds late. */
const wallSeconds = 0.15;

/**
 * Times whole steps: by timestamps from the first pass's begin to the last one's end where they are
 * sound, else by wall time of n and 2n steps. Learns the device's rate, which sizes the passes.
 */
export class StepTimer {
  readonly #queue: GpuQueue;
  readonly #timer: GpuTimer;
  /** Flops plus bytes a second of the last step; undefined before the first. */
  #workPerSecond: number | undefined;

  constructor(queue: GpuQueue, timer: GpuTimer) {
    this.#queue = queue;
    this.#timer = timer;
  }

  /** Expects a step of `trainer` to take so long at the most; undefined is as long as it may be. */
  expect(trainer: GpuTrainer, seconds: number | undefined): void {
    this.#workPerSecond = seconds && trainer.work / seconds;
  }

  /**
   * Runs and times a step of `trainer` (or some) on at most `workgroups` workgroups a call. Steps
   * that turn out far shorter than predicted may have been cut too fine for the timer: where it
   * finds fault with them they are run once more.
   */
  async time(trainer: GpuTrainer, workgroups: number): Promise<StepSample> {
    const predicted = this.#predictedSeconds(trainer);
    const sample = await this.#timeOnce(trainer, workgroups, predicted);
    const tooFine = predicted !== undefined && sample.seconds < predicted / 2;
    if (sample.problem === undefined || !tooFine) return sample;
    return this.#timeOnce(trainer, workgroups, this.#predictedSeconds(trainer));
  }

  /**
   * Times each kernel call of a step by itself, in at most about `mostSeconds`: undefined where that
   * is not enough. Set the trainer's input again before its next step.
   */
  async timeCalls(trainer: GpuTrainer, mostSeconds: number): Promise<CallTiming[] | undefined> {
    return trainer.timeCalls(this.#timer, mostSeconds, this.#workPerSecond);
  }

  /** How long a step should take, going by the last one. */
  #predictedSeconds(trainer: GpuTrainer): number | undefined {
    return this.#workPerSecond && trainer.work / this.#workPerSecond;
  }

  async #timeOnce(
    trainer: GpuTrainer,
    workgroups: number,
    predicted = Infinity,
  ): Promise<StepSample> {
    const passes = trainer.passes(workgroups, this.#workPerSecond);
    const sample = await this.#measure(passes, predicted);
    this.#workPerSecond = trainer.work / Math.max(sample.seconds, this.#timer.gridSeconds ?? 1e-3);
    return sample;
  }

  #measure(passes: readonly TimedPass[], expectedSeconds: number): Promise<StepSample> {
    switch (this.#timer.source) {
      case 'timestamp':
        return this.#measureTimestamps(passes, expectedSeconds);
      case 'wall-fit':
        return this.#measureWall(passes, expectedSeconds);
    }
  }

  async #measureTimestamps(
    passes: readonly TimedPass[],
    expectedSeconds: number,
  ): Promise<StepSample> {
    const steps = Math.ceil(this.#timer.passSeconds(0) / expectedSeconds) || 1;
    let seconds = 0;
    let problem: string | undefined;
    // One measurement is all but always enough: not for a long step whose length is not known yet.
    for (const part of chunked(repeated(passes, steps), mostPasses)) {
      const measured = await this.#timer.measure(part);
      seconds += measured.seconds.reduce((sum, pass) => sum + pass, 0);
      problem ??= measured.problem;
    }
    return { seconds: seconds / steps, ...(problem !== undefined && { problem }) };
  }

  async #measureWall(passes: readonly TimedPass[], expectedSeconds: number): Promise<StepSample> {
    const steps = Math.ceil(wallSeconds / expectedSeconds) || 1;
    const run = repeated(passes, steps);
    const once = await measureWallSeconds(this.#queue, run);
    const twice = await measureWallSeconds(this.#queue, [...run, ...run]);
    const seconds = (twice - once) / steps;
    return seconds > 0
      ? { seconds }
      : { seconds, problem: 'twice the steps took no longer: the wall clock cannot tell' };
  }
}

function repeated(passes: readonly TimedPass[], times: number): TimedPass[] {
  return Array.from({ length: times }, () => passes).flat();
}

function chunked<T>(values: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / length) }, (_, index) =>
    values.slice(index * length, (index + 1) * length),
  );
}
