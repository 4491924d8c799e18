import { opCost, type OpCost } from '../nn/cost.ts';
import { opTensors } from '../nn/opTensors.ts';
import type { TrainingPlan } from '../nn/plan.ts';
import type { CallTiming } from '../run/events.ts';

/** The work of one kernel call, which may do several ops of the plan. */
export interface CallWork extends OpCost {
  readonly bytes: { readonly algorithmic: number; readonly issued?: number };
}

const elementSize = 4;

/**
 * The work of a call: the sums over its ops, but a tensor that a fused call has touched already is
 * not counted again. Flops that the variant states replace those of the plan's direct method.
 * Throws a RangeError on an op that the plan does not have.
 */
export function callWork(
  plan: Pick<TrainingPlan, 'ops' | 'tensors'>,
  call: Pick<CallTiming, 'ops' | 'executedFlops' | 'issuedBytes'>,
): CallWork {
  let [flops, executedFlops, algorithmic] = [0, 0, 0];
  const touched = new Set<number>();
  for (const index of call.ops) {
    const op = plan.ops[index];
    if (op === undefined) throw new RangeError(`the plan has no op ${index}`);
    const cost = opCost(op);
    const { reads, writes } = opTensors(op);
    const again = reads.filter((id) => touched.has(id));
    const saved = again.reduce((sum, id) => sum + elementSize * (plan.tensors[id]?.length ?? 0), 0);
    flops += cost.flops;
    executedFlops += cost.executedFlops;
    algorithmic += Math.max(0, cost.bytes.algorithmic - saved);
    for (const id of [...reads, ...writes]) touched.add(id);
  }
  return {
    flops,
    executedFlops: call.executedFlops ?? executedFlops,
    bytes: {
      algorithmic,
      ...(call.issuedBytes !== undefined && { issued: call.issuedBytes }),
    },
  };
}
