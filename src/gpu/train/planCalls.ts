import { opCost } from '../../core/nn/cost.ts';
import type { PlanOp } from '../../core/nn/plan.ts';
import type { KernelCall } from '../kernels/computeKernel.ts';
import type { KernelSet } from '../kernels/kernelSet.ts';
import { opCalls, scratchLength } from '../kernels/opCalls.ts';
import type { TimedPass } from '../passes.ts';
import { planPasses, type CallWork } from './stepPasses.ts';
import type { TrainerBuffers } from './trainerBuffers.ts';

/** One workgroup a tile: the default. */
export const oneWorkgroupPerTile = Infinity;

/** Slower than any device in use: the rate to plan with before a step was timed. */
const leastWorkPerSecond = 2e8;

interface PlannedCall extends CallWork {
  readonly call: KernelCall;
}

/** A plan's kernel calls, compiled and bound. */
export class PlanCalls {
  readonly #calls: readonly PlannedCall[];

  private constructor(calls: readonly PlannedCall[]) {
    this.#calls = calls;
  }

  /** Throws a `GpuFault` when a shader is refused. */
  static async create(
    ops: readonly PlanOp[],
    kernels: KernelSet,
    buffers: TrainerBuffers,
  ): Promise<PlanCalls> {
    const calls = await Promise.all(ops.map((op) => plannedCalls(op, kernels, buffers)));
    return new PlanCalls(calls.flat());
  }

  /** The most tiles of any call: more workgroups than this change nothing. */
  get mostTiles(): number {
    return Math.max(...this.#calls.map(({ tiles }) => tiles));
  }

  /** Flops plus bytes: what times are estimated from. */
  get work(): number {
    return this.#calls.reduce((sum, { work }) => sum + work, 0);
  }

  /**
   * All calls as passes for `submitPasses` or a timer, on at most `workgroups` workgroups a call.
   * `workPerSecond` is the device's rate at that number: passes are cut to stay short.
   */
  passes(
    workgroups = oneWorkgroupPerTile,
    workPerSecond = leastWorkPerSecond,
  ): readonly TimedPass[] {
    return planPasses(this.#calls, workPerSecond, workgroups).map(
      ({ slices, expectedSeconds }) => ({
        expectedSeconds,
        record: (pass) => {
          for (const slice of slices) this.#calls[slice.call]?.call.record(pass, slice, workgroups);
        },
      }),
    );
  }
}

/** An op's calls with their shares of its work: what passes through scratch is the second call's. */
async function plannedCalls(
  op: PlanOp,
  kernels: KernelSet,
  buffers: TrainerBuffers,
): Promise<PlannedCall[]> {
  const { executedFlops, bytes } = opCost(op);
  const calls = await opCalls(op, kernels, buffers);
  const scratchWork = elementSize * scratchLength(op);
  return calls.map((call, index) => ({
    call,
    tiles: call.tiles,
    work: index > 0 && scratchWork > 0 ? scratchWork : executedFlops + bytes.algorithmic,
  }));
}

const elementSize = 4;
