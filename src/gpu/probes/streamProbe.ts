import type { StreamPattern } from '../../core/probes/streamVariant.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import type { GpuContext } from '../context.ts';
import { createStreamBuffers } from './streamBuffers.ts';
import {
  fastestShapes,
  openingsAfter,
  roughRate,
  saturatingLanes,
  type RaceResult,
} from './streamRace.ts';
import { measureLast } from './streamFinal.ts';
import { sweepStreams } from './streamSweep.ts';
import { StreamTrials } from './streamTrials.ts';

/** Array sizes are in bytes; pipelines are the shapes of each pattern's race. */
const profiles = {
  quick: {
    arraySize: 128 * 2 ** 20,
    pipelines: { copy: 6, read: 5, write: 6, triad: 3 },
    sweep: { ratio: Math.SQRT2, sampleSeconds: 0.02, sweepSeconds: 1.9 },
    finalSeconds: 1.2,
  },
  full: {
    arraySize: 512 * 2 ** 20,
    pipelines: { copy: 24, read: 16, write: 16, triad: 16 },
    sweep: { ratio: 2 ** 0.25, sampleSeconds: 0.08, sweepSeconds: 26 },
    finalSeconds: 5,
  },
} as const;
/** Without timestamps a sample takes most of a second. */
const wallRatio = 2.25;
/** Two passes stay under the 50 ms of a watchdog, on a machine with other work to do too. */
const passSeconds = 0.022;

const patterns: readonly StreamPattern[] = ['copy', 'read', 'write', 'triad'];

/**
 * Races the shapes of copy, read, write and triad, then sweeps the winners over the working sets
 * from 16 KiB to as far as limits and dispatch times allow, and measures the last one well. Every
 * trial is told as a sample.
 */
export async function streamProbe(context: GpuContext): Promise<void> {
  const { arraySize, pipelines, sweep, finalSeconds } =
    profiles[thoroughnessOf(context.config.profile)];
  const { maxStorageBufferBindingSize = 0, maxBufferSize = 0 } = context.environment.limits;
  const bindable = Math.min(maxStorageBufferBindingSize, maxBufferSize, arraySize);
  context.progress('bandwidth arrays', 0);
  const buffers = await createStreamBuffers(context.queue, bindable);
  try {
    const trials = new StreamTrials(context.queue, buffers);
    const races = await race(context, trials, pipelines);
    const plan = {
      ...sweep,
      ...(context.timer.source === 'wall-fit' && { ratio: wallRatio }),
      passSeconds,
      isLimited: buffers.size < arraySize,
    };
    const end = await sweepStreams(context, trials, races, plan, (share) =>
      context.progress('bandwidth sweep', 0.4 + 0.4 * share),
    );
    context.progress('memory bandwidth', 0.8);
    if (end !== undefined) await measureLast(context, trials, end, finalSeconds);
  } finally {
    buffers.destroy();
  }
}

/** The fastest shapes of each pattern. */
async function race(
  context: GpuContext,
  trials: StreamTrials,
  pipelines: Readonly<Record<StreamPattern, number>>,
): Promise<RaceResult[]> {
  const rate = await roughRate(context, trials);
  const lanes = await saturatingLanes(context, trials, rate, passSeconds);
  const results: RaceResult[] = [];
  for (const [index, pattern] of patterns.entries()) {
    context.progress(`${pattern} race`, 0.1 + (0.3 * index) / patterns.length);
    const winner = results[0]?.[0];
    const openings = openingsAfter(winner, pattern, lanes);
    const conditions = { rate, passSeconds, pipelines: pipelines[pattern] };
    results.push(await fastestShapes(context, trials, openings, conditions));
  }
  return results;
}
