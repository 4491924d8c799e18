import { opElements } from './opElements.ts';
import { opFlops, skippedFlops } from './opFlops.ts';
import type { PlanOp } from './plan.ts';

/** The work of one kernel call. */
export interface OpCost {
  /** Nominal: direct convolution, padding taps included. */
  readonly flops: number;
  /**
   * What the kernels do, and what charts and roofs use: convolutions skip rows of taps that fall on
   * padding, pools every tap that does. Lanes of a tile that stick out over a tensor's edge are no
   * work and not counted.
   */
  readonly executedFlops: number;
  /** Each distinct input read once, each output written once, in f32. */
  readonly bytes: { readonly algorithmic: number };
}

/** The work of a plan, such as one training step: the sums over its ops, and each op's own, in plan order. */
export interface PlanCost extends OpCost {
  readonly ops: readonly OpCost[];
}

const bytesPerElement = 4;

/**
 * Flops and bytes of one op. A flop is one floating add or multiply; a fused multiply-add is two;
 * comparison, max, select, division, root, exponential and logarithm count one each.
 * docs/method/training-work.md explains each formula.
 */
export function opCost(op: PlanOp): OpCost {
  const flops = opFlops(op);
  return {
    flops,
    executedFlops: flops - skippedFlops(op),
    bytes: { algorithmic: bytesPerElement * opElements(op) },
  };
}

export function planCost(plan: { readonly ops: readonly PlanOp[] }): PlanCost {
  const ops = plan.ops.map(opCost);
  const total = (of: (cost: OpCost) => number): number =>
    ops.reduce((sum, cost) => sum + of(cost), 0);
  return {
    flops: total(({ flops }) => flops),
    executedFlops: total(({ executedFlops }) => executedFlops),
    bytes: { algorithmic: total(({ bytes }) => bytes.algorithmic) },
    ops,
  };
}
