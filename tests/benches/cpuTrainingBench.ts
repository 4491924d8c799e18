/** What is timed: steps of a model of the zoo on random images. */
export interface CpuBenchOptions {
  readonly model: string;
  readonly batch: number;
  /** Channels of the input images. */
  readonly channels: number;
  readonly threads: number;
  readonly replicas: number;
  readonly build: 'simd' | 'relaxed-simd';
  /** What convolutions are cut for; absent: the usual ones. */
  readonly caches?: { readonly l1: number; readonly l2: number };
  /** Warm steps to time, for so long at the least. */
  readonly seconds: number;
}

/** One op of the plan. */
export interface CpuOpTime {
  readonly kind: string;
  readonly label: string;
  /** The median over the steps. */
  readonly seconds: number;
  /** In the step that took least time: as one thread sees an op, its times add up to a step's alone. */
  readonly fastestSeconds: number;
  readonly flops: number;
  readonly bytes: number;
}

export interface CpuTrainingBench {
  /** Warm steps, in order. */
  readonly seconds: readonly number[];
  readonly barrierSeconds: number;
  readonly allReduceSeconds: number;
  /** Of the step whose replicas waited least for each other: little more than the average itself. */
  readonly leastAllReduceSeconds: number;
  readonly ops: readonly CpuOpTime[];
}
