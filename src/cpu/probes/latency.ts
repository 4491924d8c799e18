import { chaseSize } from '../../core/probes/pointerChase.ts';
import { workingSets } from '../../core/probes/workingSets.ts';
import { flags } from '../../core/roofline/flags.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import type { CpuProfile } from '../profile.ts';
import type { Team } from '../team.ts';
import {
  blocksPerRepeat,
  cpuSample,
  expectedSeconds,
  threadsInWords,
  verdict,
  type ProbeContext,
} from './context.ts';
import { sweep } from './sweep.ts';

/**
 * Chases pointers over every working set that the team's memory holds, each thread over its share,
 * one sample each. A thread waits for one load at a time, so that threads hardly queue.
 */
export async function probeLatency(team: Team, context: ProbeContext): Promise<void> {
  const stage = `latency, ${threadsInWords(team.length)}`;
  const { profile, progress, tell } = context;
  const measure = async (size: number) => {
    progress.advance(stage, 0);
    const sample = await measureLatency(team, size, profile);
    progress.advance(stage, pointSeconds(profile));
    return sample;
  };
  await sweep(chaseSizes(team.length, team.dataSize, profile), measure, tell);
}

/** Seconds that `probeLatency` is expected to take. */
export function expectedLatencySeconds(threads: number, profile: CpuProfile): number {
  return chaseSizes(threads, profile.largestChase, profile).length * pointSeconds(profile);
}

function pointSeconds(profile: CpuProfile): number {
  return expectedSeconds(profile, profile.pointRepeats, profile.pointWarmUpSeconds);
}

/** Bytes that each thread chases over, rising. */
function chaseSizes(
  threads: number,
  dataSize: number,
  { smallestPerThread, ratio }: CpuProfile,
): number[] {
  const sizes = workingSets(smallestPerThread * threads, dataSize, ratio);
  return [...new Set(sizes.map((size) => chaseSize(size / threads)))];
}

async function measureLatency(
  team: Team,
  size: number,
  { repeatSeconds, pointRepeats, pointWarmUpSeconds, largestChase }: CpuProfile,
): Promise<Sample> {
  const work = { kind: 'chase', size } as const;
  const block = await team.sizeBlocks(work, repeatSeconds / blocksPerRepeat, pointWarmUpSeconds);
  const { seconds, check } = await team.measure(work, block, repeatSeconds, pointRepeats);
  return {
    ...cpuSample,
    probe: 'pointer chase',
    variant: 'lines at random within pages at random',
    // A round is a block of each thread, at the same time: what one of them waits for counts.
    measured: { kind: 'latency', loads: block.count, workingSetSize: size * team.length },
    threads: team.length,
    seconds,
    ...verdict(seconds, check),
    flags: team.dataSize < largestChase ? [flags.bufferLimit] : [],
  };
}
