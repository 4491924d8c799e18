import { memoryPlan } from '../../core/nn/memoryPlan.ts';
import type { EvaluationPlan, TensorId, TensorSpec, TrainingPlan } from '../../core/nn/plan.ts';
import { roundUp } from '../memory.ts';
import type { CacheSizes } from './caches.ts';
import { readAhead } from './convolution.ts';
import { elementSize, type OpCall } from './opCall.ts';
import { opCall } from './opCalls.ts';

const grain = 256;

/** The bytes of one replica, from its region's start; a region has the same start for any batch. */
export interface StepLayout {
  readonly parameters: number;
  readonly gradients: number;
  readonly velocities: number;
  readonly running: number;
  /** Scratch that the replica's threads share. */
  readonly shared: number;
  /** Each thread's own scratch, one after the other. */
  readonly own: number;
  readonly ownSize: number;
  readonly size: number;
  /** By TensorId. */
  readonly tensors: readonly number[];
  /** By op. */
  readonly calls: readonly OpCall[];
}

/**
 * Lays out the memory of a replica of `threads` threads: parameters first, so that replicas of unlike
 * batches have them at the same place, then activations by lifetime, then scratch.
 */
export function stepLayout(
  plan: TrainingPlan | EvaluationPlan,
  threads: number,
  caches?: CacheSizes,
): StepLayout {
  const calls = plan.ops.map((op) => opCall(op, caches));
  const { arenaSizes, places } = memoryPlan(plan, { arenas: 'flat' });
  let end = 0;
  const allocate = (size: number): number => {
    const start = end;
    end = roundUp(start + size + readAhead, grain);
    return start;
  };
  const parameterSize = plan.parameterLength * elementSize;
  const parameters = allocate(parameterSize);
  const gradients = allocate(parameterSize);
  const velocities = allocate(parameterSize);
  const running = allocate(plan.runningLength * elementSize);
  const arenas = arenaSizes.map(allocate);
  const place = ({ id, storage, offset, length }: TensorSpec): number => {
    switch (storage) {
      case 'parameter':
        return parameters + offset * elementSize;
      case 'gradient':
        return gradients + offset * elementSize;
      case 'velocity':
        return velocities + offset * elementSize;
      case 'running':
        return running + offset * elementSize;
      case 'input':
      case 'labels':
        return allocate(length * elementSize);
      case 'activation':
      case 'statistics': {
        const placed = places[id];
        // What no op touches has no place and needs none.
        return placed === undefined ? 0 : arenas[placed.arena]! + placed.offset;
      }
    }
  };
  const tensors = plan.tensors.map(place);
  const largest = (of: (call: OpCall) => number) => Math.max(0, ...calls.map(of));
  const shared = allocate(largest(({ sharedSize }) => sharedSize));
  // Threads write their scratch all the time: whole pages keep it apart.
  const ownSize = roundUp(
    largest(({ ownSize: size }) => size),
    4096,
  );
  const own = allocate(ownSize * threads);
  return {
    parameters,
    gradients,
    velocities,
    running,
    shared,
    own,
    ownSize,
    size: end,
    tensors,
    calls,
  };
}

/** Where a tensor lies in the region at `base`. */
export function addressOf({ tensors }: StepLayout, base: number, id: TensorId): number {
  const offset = tensors[id];
  if (offset === undefined) throw new Error(`no tensor ${id} in the plan`);
  return base + offset;
}
