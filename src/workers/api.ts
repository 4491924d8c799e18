import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';

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
  /** Measures this device as configured, telling everything through `emit`. */
  start(
    config: RunConfig,
    emit: (event: RunEvent) => void,
    startThread: StartThread,
  ): Promise<void>;
  /** Ends the job at the next safe point; what was measured stays. */
  cancel(): void;
}
