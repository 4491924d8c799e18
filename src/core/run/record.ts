import type { TuningSummary } from '../roofline/tuning.ts';
import type { Roofline, Trajectory } from '../roofline/types.ts';
import type { RunConfig } from './config.ts';
import type { DeviceEnvironment, Failure, RunEvent } from './events.ts';

/** The machine and browser as the page sees them; devices tell their own part by events. */
export interface HostEnvironment {
  readonly userAgent: string;
  readonly platform: string;
  readonly logicalCores: number;
  readonly secureContext: boolean;
  readonly isolated: boolean;
}

/** A run as it is kept: exactly what happened, nothing derived. */
export interface RunRecord {
  readonly schema: 'rooftrace/1';
  readonly app: { readonly version: string; readonly commit: string };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Typed by the user: browsers do not name machines. */
  readonly label?: string;
  readonly config: RunConfig;
  readonly environment: HostEnvironment;
  readonly events: readonly RunEvent[];
}

/** What a record says, derived by pure functions; scripts depend on the field names. */
export interface RunSummary {
  readonly schema: 'rooftrace-summary/1';
  readonly environment: HostEnvironment & { readonly devices: readonly DeviceEnvironment[] };
  readonly rooflines: readonly Roofline[];
  readonly trajectories: readonly Trajectory[];
  readonly tuning: readonly TuningSummary[];
  readonly failures: readonly Failure[];
}

/** A run as its summary, whether it comes from a record or from a link. */
export interface SummarizedRun extends Omit<RunRecord, 'schema' | 'environment' | 'events'> {
  readonly summary: RunSummary;
}
