import type { RunConfig } from '../core/run/config.ts';
import type { Failure, RunEvent } from '../core/run/events.ts';
import type { RunTask } from '../core/run/task.ts';
import type { Recipe } from '../core/training/recipe.ts';
import type { TrainingEvent } from '../core/training/trainingRun.ts';
import type { EarlierChoices } from '../core/tuning/keptChoices.ts';

/**
 * Starts a worker of `cpu-thread.worker.ts` and resolves with a comlink port to it. The page starts
 * all workers: in a Firefox driven by WebDriver a worker that starts workers freezes now and then.
 * The page also ends them, and hears of their faults.
 */
export type StartThread = () => Promise<MessagePort>;

/**
 * What a device's worker exposes over comlink. Faults arrive as `failure` events, never as
 * rejections; every job ends with exactly one `done` event, after which `start` resolves.
 */
export interface DeviceJob {
  /**
   * Does a task of a configuration on this device, telling everything through `emit`; `earlierChoices`
   * are what tuners of earlier runs found, which need not be looked for again.
   */
  start(
    config: RunConfig,
    task: RunTask,
    emit: (event: RunEvent) => void,
    startThread: StartThread,
    earlierChoices: EarlierChoices,
  ): Promise<void>;
  /** Holds the job before its next measurement, until `resume`. */
  pause(): void;
  resume(): void;
  /**
   * Leaves the stage that a `progress` event told by this name before its next measurement, if it is
   * still under way; what was measured stays.
   */
  skipStage(name: string): void;
  /** Ends the job at the next safe point; what was measured stays. */
  cancel(): void;
}

/** What a training job tells. Every job ends with exactly one `ended`. */
export type TrainingJobEvent =
  | TrainingEvent
  /** The device is open, the images are here and the kernels are compiled. */
  | { readonly kind: 'ready'; readonly deviceName: string; readonly seconds: number }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'ended'; readonly stopped: boolean };

/** A worker that trains one network for real. */
export interface TrainingJob {
  /**
   * Trains by the recipe, with the kernels that tuners of earlier runs chose; resolves after `ended`.
   * Faults arrive as `failure` events.
   */
  train(
    recipe: Recipe,
    earlierChoices: EarlierChoices,
    emit: (event: TrainingJobEvent) => void,
  ): Promise<void>;
  /** Takes effect between steps. */
  pause(): void;
  resume(): void;
  stop(): void;
}
