import type { GatherShape } from '../../core/probes/gather.ts';
import { chasePageSize } from '../../core/probes/pageChase.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import { createBuffer } from '../buffers.ts';
import type { GpuContext } from '../context.ts';
import type { GpuQueue } from '../queue.ts';
import {
  createAtomicsKernel,
  createChaseKernel,
  createChasePipelines,
  createGatherKernel,
  loadsPerTrip,
  type ChasePipelines,
} from './accessKernels.ts';
import { createPatternBuffer } from './patternBuffer.ts';
import { runTrial, type Effort, type Entrant } from './trial.ts';

const efforts = {
  quick: { seconds: 0.004, pairs: 3 },
  full: { seconds: 0.008, pairs: 8, settleSeconds: 1 },
} as const satisfies Record<string, Effort>;

const gatherSize = 2 ** 26;
const lanesRange = { least: 2 ** 10, most: 2 ** 17 };
const search = { seconds: 0.003, pairs: 2 };
/** Counters: one that all lanes want, and one a lane. */
const counters = [1, 2 ** 14] as const;

/** Tells gathers and atomics as extra samples: rates that the access itself limits. */
export async function accessProbe(context: GpuContext): Promise<void> {
  const effort = efforts[thoroughnessOf(context.config.profile)];
  const { queue } = context;
  const source = await createPatternBuffer(context, gatherSize);
  try {
    const gather = (order: GatherShape['order'], lanes: number, how: Effort) =>
      runTrial(context, gatherEntrant(queue, source, order, lanes), how);
    const lanes = await doubleUntilSaturated(lanesRange, (count) =>
      gather('random', count, search),
    );
    for (const [index, order] of (['strided', 'random'] as const).entries()) {
      context.progress(`${order} gather`, index / 4);
      await gather(order, lanes, effort);
    }
  } finally {
    source.destroy();
  }
  for (const [index, count] of counters.entries()) {
    context.progress('atomics', 0.5 + index / 4);
    await runTrial(context, atomicsEntrant(queue, Math.max(...counters), count), effort);
  }
}

/** One addition of every lane a unit. */
export function atomicsEntrant(queue: GpuQueue, lanes: number, count: number): Entrant {
  return {
    probe: 'atomics',
    variant: `additions of ${lanes} lanes to ${count === 1 ? 'one counter' : `${count} counters`}`,
    measured: (passes) => ({
      kind: 'extra',
      of: 'atomics',
      amount: passes * lanes,
      unit: 'op',
      workingSetSize: 4 * count,
    }),
    create: () => createAtomicsKernel(queue, lanes, count),
  };
}

/** Four words of every lane a unit. */
export function gatherEntrant(
  queue: GpuQueue,
  source: GPUBuffer,
  order: GatherShape['order'],
  lanes: number,
): Entrant {
  const shape: GatherShape = { order, unroll: 4, lanes, length: source.size / 4 };
  return {
    probe: `${order} gather`,
    variant: `single words, each from a line of its own, 4 in flight, ${lanes} lanes`,
    measured: (passes) => ({
      kind: 'extra',
      of: order === 'strided' ? 'gatherStrided' : 'gatherRandom',
      amount: passes * shape.unroll * lanes * 4,
      unit: 'byte',
      workingSetSize: source.size,
    }),
    create: () => createGatherKernel(queue, shape, source),
  };
}

/** Sets from a page on, each so many times the one before. */
const chases = {
  quick: { growth: 4, largest: 2 ** 26, effort: { seconds: 0.003, pairs: 3 } },
  full: { growth: 2, largest: 2 ** 27, effort: { seconds: 0.006, pairs: 6 } },
} as const;

/** Chases pointers over growing working sets, by one invocation; each is told as a latency sample. */
export async function latencyProbe(context: GpuContext): Promise<void> {
  const { growth, largest, effort } = chases[thoroughnessOf(context.config.profile)];
  const { queue, environment } = context;
  const { maxStorageBufferBindingSize = 0, maxBufferSize = 0 } = environment.limits;
  const bindable = Math.min(largest, maxStorageBufferBindingSize, maxBufferSize);
  const size = 2 ** Math.floor(Math.log2(bindable));
  const pointers = await createBuffer(queue, { size, usage: GPUBufferUsage.STORAGE });
  try {
    const pipelines = await createChasePipelines(queue);
    for (let set = chasePageSize; set <= size; set *= growth) {
      context.progress('latency', Math.log(set / chasePageSize) / Math.log(size / chasePageSize));
      await runTrial(context, chaseEntrant(queue, set, pointers, pipelines), effort);
    }
  } finally {
    pointers.destroy();
  }
}

/** `loadsPerTrip` loads a unit. */
export function chaseEntrant(
  queue: GpuQueue,
  set: number,
  pointers: GPUBuffer,
  pipelines: ChasePipelines,
): Entrant {
  return {
    probe: 'pointer chase',
    variant: 'one invocation, lines at random within pages at random',
    measured: (trips) => ({ kind: 'latency', loads: trips * loadsPerTrip, workingSetSize: set }),
    create: () => createChaseKernel(queue, set, pointers, pipelines),
  };
}
