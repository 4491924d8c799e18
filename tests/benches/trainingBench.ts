/** One op of the plan, timed alone: its kernel calls, many times over. */
export interface OpTime {
  readonly kind: string;
  readonly label: string;
  readonly tiles: number;
  readonly seconds: number;
  readonly flops: number;
  readonly bytes: number;
}

export interface TrainingBench {
  readonly compileSeconds: number;
  readonly timer: string;
  readonly ops: readonly OpTime[];
  /** Warm steps, in order. */
  readonly steps: readonly number[];
}

export interface BenchOptions {
  readonly batch: number;
  /** Channels of the input images. */
  readonly channels: number;
  /** Warm steps to time. */
  readonly steps: number;
}
