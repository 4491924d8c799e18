import type { TimerSource } from '../core/roofline/sample.ts';
import type { TimedPass } from './passes.ts';

/** What one run of a list of passes took. */
export interface Measurement {
  readonly timer: Exclude<TimerSource, 'clock'>;
  /** Seconds of one run of each pass, in order. */
  readonly seconds: readonly number[];
  /** How many times each pass ran: once under timestamps, more where wall time is fitted. */
  readonly runs: readonly number[];
  /** Why the times must not be used, where they must not. */
  readonly problem?: string;
}

/** What a pass takes, and what its first run took, in which the driver may have compiled it. */
export interface RoughSeconds {
  readonly seconds: number;
  readonly firstSeconds: number;
}

/** A way to time passes. */
export interface PassClock {
  measure(passes: readonly TimedPass[]): Promise<Measurement>;
  /** Seconds of a pass of unknown length, to size work by; 0 where it is too short to tell. */
  roughSeconds(pass: TimedPass): Promise<RoughSeconds>;
}

/** Most passes of one measurement: a query set holds 4,096 timestamps. */
export const mostPasses = 2048;
