import type { StepRates, TensorId } from '../../core/nn/plan.ts';
import type { TrainingFunctions } from './functions.ts';

/** Bytes of an f32, and of a label. */
export const elementSize = 4;

/** Where a thread finds what an op works on. Addresses are in bytes. */
export interface Operands {
  readonly functions: TrainingFunctions;
  readonly parameters: number;
  readonly gradients: number;
  readonly velocities: number;
  /** Scratch that all threads of a replica share, of the call's `sharedSize`. */
  readonly shared: number;
  /** Scratch of this thread alone, of the call's `ownSize`. */
  readonly own: number;
  readonly address: (id: TensorId) => number;
}

/**
 * A part of a call that threads may share: its tiles are independent, so any thread runs any of
 * them in any order, and sums never cross tiles. Phases of a call follow one another, all threads
 * done with one before the next.
 */
export interface Phase {
  readonly tiles: number;
  run(tile: number, rates: StepRates): void;
}

/** An op as it runs here: its scratch, and its phases once it is known where things are. */
export interface OpCall {
  readonly sharedSize: number;
  readonly ownSize: number;
  phases(operands: Operands): readonly Phase[];
}

/** Tiles of `tileLength` elements that cover `length`; the last one may be shorter. */
export function ranges(length: number, tileLength: number) {
  return {
    tiles: Math.ceil(length / tileLength),
    at(tile: number): { readonly first: number; readonly length: number } {
      const first = tile * tileLength;
      return { first, length: Math.min(tileLength, length - first) };
    },
  };
}
