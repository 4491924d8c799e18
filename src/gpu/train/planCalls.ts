import { opCost } from '../../core/nn/cost.ts';
import type { PlanOp } from '../../core/nn/plan.ts';
import type { KernelCall } from '../kernels/computeKernel.ts';
import {
  chosenVariant,
  isConv,
  variantName,
  type VariantChoices,
} from '../kernels/convVariants.ts';
import type { KernelSet } from '../kernels/kernelSet.ts';
import { begunStatistics, type AllBegunStatistics } from '../kernels/begunStatistics.ts';
import { opCalls, scratchLength } from '../kernels/opCalls.ts';
import type { TimedPass } from '../passes.ts';
import { planPasses, type CallWork } from './stepPasses.ts';
import type { TrainerBuffers } from './trainerBuffers.ts';

/** One workgroup a tile: the default. */
export const oneWorkgroupPerTile = Infinity;

/** Slower than any device in use: the rate to plan with before a step was timed. */
export const leastWorkPerSecond = 2e8;

/** A kernel call of a plan. */
export interface PlannedCall extends CallWork {
  readonly call: KernelCall;
  /** Indices in the plan's list of ops; a fused call does several. */
  readonly ops: readonly number[];
  /** The kernel's shape in words. */
  readonly variant: string;
}

/** A plan's kernel calls, compiled and bound. */
export class PlanCalls {
  /** In order. */
  readonly calls: readonly PlannedCall[];

  private constructor(calls: readonly PlannedCall[]) {
    this.calls = calls;
  }

  /** Throws a `GpuFault` when a shader is refused. */
  static async create(
    ops: readonly PlanOp[],
    kernels: KernelSet,
    buffers: TrainerBuffers,
    choices: VariantChoices = {},
  ): Promise<PlanCalls> {
    const support = await kernels.support();
    const begun = begunStatistics(ops, (op) => chosenVariant(op, support, choices));
    const calls = await Promise.all(
      ops.map((op, index) => plannedCalls(op, index, begun, kernels, buffers, choices)),
    );
    return new PlanCalls(calls.flat());
  }

  /** The most tiles of any call: more workgroups than this change nothing. */
  get mostTiles(): number {
    return Math.max(...this.calls.map(({ tiles }) => tiles));
  }

  /** Flops plus bytes: what times are estimated from. */
  get work(): number {
    return this.calls.reduce((sum, { work }) => sum + work, 0);
  }

  /**
   * All calls as passes for `submitPasses` or a timer, on at most `workgroups` workgroups a call.
   * `workPerSecond` is the device's rate at that number, where it is known: passes are cut to stay short.
   */
  passes(workgroups = oneWorkgroupPerTile, workPerSecond?: number): readonly TimedPass[] {
    const planned = planPasses(this.calls, workPerSecond ?? leastWorkPerSecond, workgroups);
    return planned.map(({ slices, expectedSeconds, dispatchSeconds }) => ({
      expectedSeconds,
      dispatchSeconds: workPerSecond === undefined ? 0 : dispatchSeconds,
      record: (pass) => {
        for (const slice of slices) this.calls[slice.call]?.call.record(pass, slice, workgroups);
      },
    }));
  }
}

/** An op's calls with their shares of its work: what passes through scratch is the second call's. */
async function plannedCalls(
  op: PlanOp,
  index: number,
  begun: AllBegunStatistics,
  kernels: KernelSet,
  buffers: TrainerBuffers,
  choices: VariantChoices,
): Promise<PlannedCall[]> {
  const { executedFlops, bytes } = opCost(op);
  const calls = await opCalls(op, kernels, buffers, choices, begun);
  const scratchWork = elementSize * scratchLength(op);
  const variant = isConv(op)
    ? variantName(chosenVariant(op, await kernels.support(), choices))
    : 'plain';
  const alsoDone = op.kind === 'conv2d.forward' ? begun.get(op.output)?.op : undefined;
  return calls.map((call, part) => ({
    call,
    ops: [index, ...(alsoDone === undefined ? [] : [alsoDone])],
    variant,
    tiles: call.tiles,
    work: onlyMerges(op, part, begun) ? scratchWork : executedFlops + bytes.algorithmic,
  }));
}

/** Whether a call of an op adds up what an earlier one left. */
function onlyMerges(op: PlanOp, part: number, begun: AllBegunStatistics): boolean {
  const isBegun = op.kind === 'batchNorm.statistics' && begun.has(op.input);
  return scratchLength(op) > 0 && (part > 0 || isBegun);
}

const elementSize = 4;
