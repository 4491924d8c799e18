import { planCost, type OpCost } from '../nn/cost.ts';
import type { TrainingPlan } from '../nn/plan.ts';
import { trainingPlan } from '../nn/trainingPlan.ts';
import { isModelName, type ModelName } from '../nn/zoo.ts';
import type { StepTiming } from '../run/events.ts';

/** What one step does, known from its configuration alone. */
export interface StepWork extends OpCost {
  /** Each kernel call's, by the plan; replicas' one after the other. */
  readonly ops: readonly OpCost[];
  /** The plan that calls refer to; absent where replicas each run one of their own. */
  readonly plan?: TrainingPlan;
}

/** Equal for steps of equal work. */
export function workKey({ model, batch, inputChannels, replicas = 1 }: StepTiming): string {
  return JSON.stringify([model, batch, inputChannels, replicas]);
}

/**
 * The work of one step; undefined for a model that this version does not have. Replicas share the
 * step's images as evenly as they go, and each reads weights and gradients of its own.
 */
export function stepWork(step: StepTiming): StepWork | undefined {
  const { model, batch, inputChannels, replicas = 1 } = step;
  if (!isModelName(model)) return undefined;
  if (replicas === 1) {
    const plan = planOf(model, batch, inputChannels);
    return { ...planCost(plan), plan };
  }
  const shares = evenShares(batch, replicas);
  const costs = new Map(
    [...new Set(shares)].map((share) => [share, planCost(planOf(model, share, inputChannels))]),
  );
  const ops = shares.flatMap((share) => costs.get(share)!.ops);
  const sum = (of: (cost: OpCost) => number): number =>
    ops.reduce((total, cost) => total + of(cost), 0);
  return {
    flops: sum(({ flops }) => flops),
    executedFlops: sum(({ executedFlops }) => executedFlops),
    bytes: { algorithmic: sum(({ bytes }) => bytes.algorithmic) },
    ops,
  };
}

/** `total` images over at most so many replicas: shares differ by one at most, none is empty. */
export function evenShares(total: number, replicas: number): number[] {
  return Array.from(
    { length: replicas },
    (_, replica) =>
      Math.floor(((replica + 1) * total) / replicas) - Math.floor((replica * total) / replicas),
  ).filter((share) => share > 0);
}

function planOf(model: ModelName, batch: number, channels: number): TrainingPlan {
  return trainingPlan(model, batch, { height: 32, width: 32, channels });
}
