import type { DeviceKind } from '../run/config.ts';

/** How a sample's times were taken. */
export type TimerSource =
  /** GPU timestamp queries around the work. */
  | 'timestamp'
  /** Slope of wall time over at least two batch counts, t = t0 + n t1. */
  | 'wall-fit'
  /** performance.now() around work that blocks its thread. */
  | 'clock';

export type Precision = 'f32' | 'f16' | 'f64' | 'i32' | 'i8';

/**
 * `ok` samples are evidence. `failed`: measured, but a check (value, linearity, timer) refused it.
 * `unsupported`: the device cannot do it. `skipped`: not tried. Only `ok` is ever drawn.
 */
export type SampleStatus = 'ok' | 'failed' | 'unsupported' | 'skipped';

/** What a sample measures, and the work done in each of its repeats. */
export type Measured =
  | { readonly kind: 'compute'; readonly precision: Precision; readonly flops: number }
  | {
      readonly kind: 'bandwidth';
      readonly pattern: 'read' | 'write' | 'copy' | 'triad';
      /** Bytes loaded plus bytes stored by the code in one repeat. */
      readonly bytes: number;
      /** Distinct bytes touched, over all threads or workgroups; in a private sweep by each of them. */
      readonly workingSetSize: number;
      /** One working set for all workgroups (absent), or one for each. */
      readonly sweep?: 'shared' | 'private';
      /** Whether lanes load addresses of their own (absent) or all the same. */
      readonly addresses?: 'distinct' | 'broadcast';
      /** Workgroup memory rather than storage. */
      readonly space?: 'workgroup';
    }
  | {
      readonly kind: 'latency';
      /** Loads in one repeat, each waiting for the one before. */
      readonly loads: number;
      readonly workingSetSize: number;
    }
  | {
      readonly kind: 'overhead';
      readonly of: 'submit' | 'pass' | 'dispatch' | 'barrier' | 'wakeUp';
      readonly count: number;
    }
  | {
      /** The knee: both kinds of work in one repeat, at the intensity flops / bytes. */
      readonly kind: 'mixed';
      readonly precision: 'f32';
      readonly flops: number;
      readonly bytes: number;
      readonly workingSetSize: number;
    }
  | {
      /** One kernel's repeats, end to end over a minute or so. */
      readonly kind: 'sustained';
      readonly precision: Precision;
      readonly flops: number;
    }
  | {
      /** Between the page and the GPU. */
      readonly kind: 'transfer';
      readonly direction: 'upload' | 'download';
      readonly bytes: number;
    }
  | {
      /** Rates that are no ceilings. */
      readonly kind: 'extra';
      readonly of: 'gatherStrided' | 'gatherRandom' | 'atomics';
      readonly amount: number;
      readonly unit: 'byte' | 'op';
      readonly workingSetSize?: number;
    };

/** One measurement: what was done, every raw time in order, how it was timed, whether it holds. */
export interface Sample {
  readonly device: DeviceKind;
  readonly deviceId: string;
  /** The probe that made it, e.g. `fma`, `copy`. */
  readonly probe: string;
  /** The probe's shape in words, e.g. `affine, 8 chains, vec4, workgroup 256`. */
  readonly variant: string;
  readonly measured: Measured;
  /** CPU threads that ran together; absent on the GPU. */
  readonly threads?: number;
  /** Seconds of each repeat, in the order in which they ran. */
  readonly seconds: readonly number[];
  readonly timer: TimerSource;
  readonly status: SampleStatus;
  /** Why a status other than `ok`. */
  readonly reason?: string;
  readonly flags: readonly string[];
}
