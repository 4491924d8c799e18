/** What is timed: steps of a model of the zoo on random images. */
export interface CpuBenchOptions {
  readonly model: string;
  readonly batch: number;
  /** Channels of the input images. */
  readonly channels: number;
  readonly threads: number;
  readonly replicas: number;
  readonly build: 'simd' | 'relaxed-simd';
  /** Bytes of the L2 that tiles are cut for; absent: the usual ones. */
  readonly l2?: number;
  /** Warm steps to time, for so long at the least. */
  readonly seconds: number;
}

/** One op of the plan: the median over the steps. */
export interface CpuOpTime {
  readonly kind: string;
  readonly label: string;
  readonly seconds: number;
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
