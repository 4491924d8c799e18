import type { RunConfig } from '../core/run/config.ts';
import type { GpuEnvironment, RunEvent, TuningChoice } from '../core/run/events.ts';
import type { GpuQueue } from './queue.ts';
import type { GpuTimer } from './timer.ts';

/** What every stage of a GPU job is given. */
export interface GpuContext {
  readonly config: RunConfig;
  readonly environment: GpuEnvironment;
  /** Its waits end at a device fault (`GpuFault`) or a cancel (`signal.reason`). */
  readonly queue: GpuQueue;
  readonly timer: GpuTimer;
  /** What earlier runs chose on this device. */
  readonly earlierChoices?: readonly TuningChoice[];
  /** What this run told before its device was lost; absent in a run from the start. */
  readonly told?: readonly RunEvent[];
  readonly emit: (event: RunEvent) => void;
  /** Tells how much of the stage is behind us, 0 to 1. */
  readonly progress: (stage: string, fraction: number) => void;
}
