import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';

/**
 * What a device's worker exposes over comlink. Faults arrive as `failure` events, never as
 * rejections; every job ends with exactly one `done` event, after which `start` resolves.
 */
export interface DeviceJob {
  /** Measures this device as configured, telling everything through `emit`. */
  start(config: RunConfig, emit: (event: RunEvent) => void): Promise<void>;
  /** Ends the job at the next safe point; what was measured stays. */
  cancel(): void;
}
