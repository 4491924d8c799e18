import { coordinateDescent } from '../../core/probes/race.ts';
import {
  arraySizeOf,
  describeStreamVariant,
  streamMoves,
  streamOpenings,
  streamShape,
  type StreamVariant,
} from '../../core/probes/streamVariant.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import { workingSets } from '../../core/probes/workingSets.ts';
import { flags } from '../../core/roofline/flags.ts';
import type { GpuContext } from '../context.ts';
import { CopyKernel } from './copyKernel.ts';
import { createStreamBuffers, type StreamBuffers } from './streamBuffers.ts';
import { runTrial, type Entrant } from './trial.ts';
import { sizeWorkload } from './workload.ts';

/** Copy has two arrays. */
const arrays = 2;
const smallestSet = 16 * 2 ** 10;

const profiles = {
  quick: { largestSet: 256 * 2 ** 20, ratio: Math.SQRT2, pipelines: 6 },
  full: { largestSet: 2 ** 30, ratio: 2 ** 0.25, pipelines: 16 },
} as const;

/** Runs of n passes; those of 2n stay under the 50 ms of a watchdog, and so one pass under half. */
const race = { seconds: 0.01, pairs: 2 };
const sweep = { seconds: 0.01, pairs: 3 };
const mostPassSeconds = 0.024;
/** The race is held where memory itself is the limit, if the device is fast enough for that. */
const raceSet = 64 * 2 ** 20;
const workgroupsRange = { least: 4, most: 16_384 };

/** What every trial of the probe shares. */
interface Copying {
  readonly context: GpuContext;
  readonly buffers: StreamBuffers;
}

/** A shape with as many lanes as saturate the device. */
interface Contender {
  readonly variant: StreamVariant;
  readonly lanes: number;
}

/**
 * Sweeps the working set of a copy from 16 KiB to as far as limits and dispatch times allow, with
 * the shape that won a race. Every trial is told as a sample.
 */
export async function copyProbe(context: GpuContext): Promise<void> {
  const { largestSet, ratio, pipelines } = profiles[context.config.profile];
  const { maxStorageBufferBindingSize = 0, maxBufferSize = 0 } = context.environment.limits;
  const bindable = Math.min(maxStorageBufferBindingSize, maxBufferSize, largestSet / arrays);
  const buffers = await createStreamBuffers(context.queue, bindable);
  try {
    const copying = { context, buffers };
    const winner = await raceShapes(copying, pipelines);
    const largest = arrays * buffers.size;
    await sweepSets(
      copying,
      winner,
      workingSets(smallestSet, largest, ratio),
      largest < largestSet,
    );
  } finally {
    buffers.destroy();
  }
}

/** Finds how many lanes saturate memory, then the fastest shape with so many. */
async function raceShapes(copying: Copying, pipelines: number): Promise<Contender> {
  const { context, buffers } = copying;
  const set = Math.min(
    raceSet,
    arrays * buffers.size,
    mostPassSeconds * (await roughRate(copying)),
  );
  const opening = streamOpenings[0];
  const workgroups = await doubleUntilSaturated(workgroupsRange, (count) => {
    const { entrant } = trialOf(copying, opening, set, count);
    return runTrial(context, { ...entrant, variant: `${entrant.variant}, ${count} of them` }, race);
  });
  // More than saturate: the last workgroups of an even split then matter less.
  const lanes = 4 * workgroups * opening.workgroupSize;
  const mostWorkgroupSize = context.environment.limits['maxComputeInvocationsPerWorkgroup'] ?? 64;
  const order = coordinateDescent(streamOpenings, streamMoves(mostWorkgroupSize), pipelines);
  let tried = 0;
  let next = order.next();
  while (!next.done) {
    context.progress('copy race', (0.25 * tried++) / pipelines);
    const contender = { variant: next.value, lanes };
    next = order.next(await runTrial(context, contenderAt(copying, contender, set).entrant, race));
  }
  return { variant: next.value[0] ?? opening, lanes };
}

/** Bytes a second of a small copy, roughly. */
async function roughRate(copying: Copying): Promise<number> {
  const { entrant, workingSetSize } = trialOf(copying, streamOpenings[0], 4 * 2 ** 20, 64);
  const kernel = await entrant.create();
  const { amount, seconds } = await sizeWorkload(copying.context.timer, kernel, race.seconds);
  kernel.destroy();
  return (workingSetSize * amount) / seconds;
}

/** Measures the winner at every working set whose passes are short enough for a dispatch. */
async function sweepSets(
  copying: Copying,
  contender: Contender,
  sets: readonly number[],
  isLimited: boolean,
): Promise<void> {
  const { context } = copying;
  let rate = 0;
  let before = 0;
  for (const [index, set] of sets.entries()) {
    context.progress('copy sweep', 0.25 + (0.75 * index) / sets.length);
    const next = sets[index + 1];
    const isTooLong = next !== undefined && rate > 0 && next / rate > mostPassSeconds;
    const limits = [
      ...(isTooLong ? [flags.timeLimit] : []),
      ...(next === undefined && isLimited ? [flags.bufferLimit] : []),
    ];
    const { entrant, workingSetSize } = contenderAt(copying, contender, set);
    // Small sets are few workgroups' trips, and neighbours may come out the same.
    if (workingSetSize === before) continue;
    before = workingSetSize;
    const first = Math.max(1, Math.floor((rate * sweep.seconds) / workingSetSize / 2));
    const found = await runTrial(context, { ...entrant, flags: limits }, { ...sweep, first });
    if (found > 0) rate = found;
    if (isTooLong) return;
  }
}

function contenderAt(copying: Copying, { variant, lanes }: Contender, set: number) {
  return trialOf(copying, variant, set, lanes / variant.workgroupSize);
}

/** A trial of a shape at about a working set, and the working set that it really has. */
function trialOf(
  { context: { queue }, buffers }: Copying,
  variant: StreamVariant,
  set: number,
  mostWorkgroups: number,
) {
  const shape = streamShape(variant, set / arrays, mostWorkgroups);
  const workingSetSize = arrays * arraySizeOf(variant, shape);
  const entrant: Entrant = {
    probe: 'copy',
    variant: describeStreamVariant(variant),
    measured: (passes) => ({
      kind: 'bandwidth',
      pattern: 'copy',
      // Each pass loads one array and stores the other.
      bytes: passes * workingSetSize,
      workingSetSize,
    }),
    create: () => CopyKernel.create(queue, variant, shape, buffers),
  };
  return { entrant, workingSetSize };
}
