import type { TileRange } from '../kernels/tileRanges.ts';

/** A kernel call as the scheduler sees it. */
export interface CallWork {
  readonly tiles: number;
  /** Flops plus bytes: what its time is estimated from. */
  readonly work: number;
}

/** A dispatch over a part of a call's tiles, or all of them. */
export interface CallSlice extends TileRange {
  /** Index of the call. */
  readonly call: number;
}

/** Dispatches that run in one pass. */
export interface PassPlan {
  readonly slices: readonly CallSlice[];
  readonly expectedSeconds: number;
  /** The same of the longest dispatch. */
  readonly dispatchSeconds: number;
}

/** Estimates may be off by a factor of two: watchdogs ask for 50 ms a dispatch, 200 ms a submit. */
const dispatchSeconds = 0.025;
const passSeconds = 0.08;

/**
 * Cuts a step's calls into dispatches and passes that stay short, given the device's rate in work a
 * second. A call that would run too long is cut into ranges of its tiles, each a whole number of
 * rounds of the `workgroups` workgroups, so that a cut leaves no workgroup without a tile.
 */
export function planPasses(
  calls: readonly CallWork[],
  workPerSecond: number,
  workgroups: number,
): readonly PassPlan[] {
  const passes: { slices: CallSlice[]; expectedSeconds: number; dispatchSeconds: number }[] = [];
  for (const [call, { tiles, work }] of calls.entries()) {
    const tileSeconds = work / tiles / workPerSecond;
    const length = sliceTiles(tileSeconds, workgroups);
    for (let first = 0; first < tiles; first += length) {
      const slice = { call, first, end: Math.min(first + length, tiles) };
      const seconds = tileSeconds * (slice.end - first);
      const pass = passes.at(-1);
      if (pass !== undefined && pass.expectedSeconds + seconds <= passSeconds) {
        pass.slices.push(slice);
        pass.expectedSeconds += seconds;
        pass.dispatchSeconds = Math.max(pass.dispatchSeconds, seconds);
      } else passes.push({ slices: [slice], expectedSeconds: seconds, dispatchSeconds: seconds });
    }
  }
  return passes;
}

function sliceTiles(tileSeconds: number, workgroups: number): number {
  const most = Math.max(1, Math.floor(dispatchSeconds / tileSeconds));
  return most < workgroups ? most : Math.floor(most / workgroups) * workgroups;
}
