import type { MixedArithmetic } from '../../core/probes/cpuMixed.ts';
import type { ComputeVariant } from '../../core/probes/cpuKernels.ts';
import type { Rounding } from '../../core/probes/fmaEmulation.ts';
import type { MixedShape } from '../../core/probes/mixed.ts';
import type { StreamName } from '../../core/probes/streams.ts';

/** What a thread can be asked to do over and over. */
export type Work =
  | { readonly kind: 'chains'; readonly variant: ComputeVariant }
  | { readonly kind: 'stream'; readonly stream: StreamName; readonly arraySize: number }
  | { readonly kind: 'chase'; readonly size: number }
  | {
      readonly kind: 'mixed';
      readonly arithmetic: MixedArithmetic;
      readonly shape: MixedShape;
      /** Bytes of each thread, whole tiles. */
      readonly size: number;
    };

/** Whether a thread's work left the results that it must leave. */
export type Check =
  | { readonly kind: 'right'; readonly rounding?: Rounding }
  | { readonly kind: 'wrong'; readonly reason: string };

/** One thread's work, ready to run. */
export interface Runner {
  /** `run` takes multiples of this. */
  readonly unit: number;
  /** Puts everything that `check` looks at into a state that only running can make right. */
  reset(): void;
  run(count: number): void;
  /** Judges the results after `count` repetitions since `reset`. */
  check(count: number): Check;
}
