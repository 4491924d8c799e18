import { opTensors } from './opTensors.ts';
import type { EvaluationPlan, PlanOp, TensorId, TrainingPlan } from './plan.ts';

/** Bytes: WebGPU's grain of a binding's offset. */
export const placementAlignment = 256;

/** From which call to which a tensor's content matters. */
export interface Lifetime {
  readonly id: TensorId;
  /** Bytes, rounded up to the alignment. */
  readonly size: number;
  /** The first and last call that touch it. */
  readonly first: number;
  readonly last: number;
  /** Tensors that some call writes while it reads this one, or reads while it writes this one. */
  readonly conflicts: ReadonlySet<TensorId>;
}

/** Everything is 32-bit. */
const elementSize = 4;

/**
 * Lifetimes of a plan's activations and statistics. `calls` lists the ops of each call, in order;
 * absent, each op is a call. What a call of several ops makes and uses itself, it only writes.
 */
export function lifetimes(
  plan: TrainingPlan | EvaluationPlan,
  calls: readonly (readonly number[])[] = plan.ops.map((_, op) => [op]),
): Lifetime[] {
  const touched = calls.map((ops) => callTensors(ops.map((op) => opAt(plan, op))));
  const conflicts = plan.tensors.map(() => new Set<TensorId>());
  const first = new Map<TensorId, number>();
  const last = new Map<TensorId, number>();
  for (const [call, { reads, writes }] of touched.entries()) {
    for (const id of [...reads, ...writes]) {
      if (!first.has(id)) first.set(id, call);
      last.set(id, call);
    }
    for (const read of reads)
      for (const write of writes) {
        conflicts[read]?.add(write);
        conflicts[write]?.add(read);
      }
  }
  for (const id of readAfterwards(plan)) last.set(id, calls.length);
  return plan.tensors.flatMap(({ id, length, storage }) => {
    const [begin, end] = [first.get(id), last.get(id)];
    if (storage !== 'activation' && storage !== 'statistics') return [];
    if (begin === undefined || end === undefined) return [];
    const size = Math.ceil((elementSize * length) / placementAlignment) * placementAlignment;
    return [{ id, size, first: begin, last: end, conflicts: conflicts[id]! }];
  });
}

function callTensors(ops: readonly PlanOp[]): {
  readonly reads: ReadonlySet<TensorId>;
  readonly writes: ReadonlySet<TensorId>;
} {
  const all = ops.map(opTensors);
  const writes = new Set(all.flatMap((op) => op.writes));
  const reads = new Set(all.flatMap((op) => op.reads).filter((id) => !writes.has(id)));
  return { reads, writes };
}

/** What is read when the last call is done. */
function readAfterwards(plan: TrainingPlan | EvaluationPlan): readonly TensorId[] {
  const { logitsTensor, lossesTensor } = plan;
  return 'correctTensor' in plan
    ? [logitsTensor, lossesTensor, plan.correctTensor]
    : [logitsTensor, lossesTensor];
}

function opAt({ ops }: TrainingPlan | EvaluationPlan, index: number): PlanOp {
  const op = ops[index];
  if (op === undefined) throw new RangeError(`the plan has no op ${index}`);
  return op;
}
