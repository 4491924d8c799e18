import { arraySize, streams, type StreamName } from '../../core/probes/streams.ts';
import { workingSets } from '../../core/probes/workingSets.ts';
import { flags } from '../../core/roofline/flags.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import { shareOf } from '../memory.ts';
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

/** Sweeps every stream over the working sets that the team's memory holds, one sample a point. */
export async function probeBandwidth(team: Team, context: ProbeContext): Promise<void> {
  const { profile, progress, tell } = context;
  const sizes = workingSetsOf(team.length, team.dataSize, profile);
  for (const name of profile.streams) {
    const stage = `${name} sweep, ${threadsInWords(team.length)}`;
    const measure = async (size: number) => {
      progress.advance(stage, 0);
      const sample = await measurePoint(team, name, size, profile);
      progress.advance(stage, pointSeconds(profile));
      return sample;
    };
    await sweep(sizes, measure, tell);
  }
}

/** Seconds that `probeBandwidth` is expected to take. */
export function expectedBandwidthSeconds(threads: number, profile: CpuProfile): number {
  const points = workingSetsOf(threads, profile.largest, profile).length * profile.streams.length;
  return points * pointSeconds(profile);
}

function pointSeconds(profile: CpuProfile): number {
  return expectedSeconds(profile, profile.pointRepeats, profile.pointWarmUpSeconds);
}

function workingSetsOf(
  threads: number,
  dataSize: number,
  { smallestPerThread, ratio }: CpuProfile,
): number[] {
  return workingSets(smallestPerThread * threads, dataSize, ratio);
}

async function measurePoint(
  team: Team,
  name: StreamName,
  workingSetSize: number,
  { repeatSeconds, pointRepeats, pointWarmUpSeconds, largest }: CpuProfile,
): Promise<Sample> {
  const threads = team.length;
  const stream = streams[name];
  const share = Math.min(workingSetSize / threads, shareOf(team.dataSize, threads, 0).size);
  const size = arraySize(stream, share);
  const work = { kind: 'stream', stream: name, arraySize: size } as const;
  await team.touch(share);
  const block = await team.sizeBlocks(work, repeatSeconds / blocksPerRepeat, pointWarmUpSeconds);
  const { seconds, check } = await team.measure(work, block, repeatSeconds, pointRepeats);
  const touched = size * stream.arrays * threads;
  return {
    ...cpuSample,
    probe: stream.pattern,
    variant: stream.variant,
    measured: {
      kind: 'bandwidth',
      pattern: stream.pattern,
      bytes: touched * block.count,
      workingSetSize: touched,
    },
    threads,
    seconds,
    ...verdict(seconds, check),
    flags: team.dataSize < largest ? [flags.bufferLimit] : [],
  };
}
