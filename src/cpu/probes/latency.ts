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

/** Chases pointers over every working set that the team's memory holds, one sample each. */
export async function probeLatency(team: Team, context: ProbeContext): Promise<void> {
  const stage = `latency, ${threadsInWords(team.length)}`;
  for (const size of chaseSizes(team.dataSize, context.profile)) {
    context.progress.advance(stage, 0);
    context.tell(await measureLatency(team, size, context.profile));
    context.progress.advance(stage, pointSeconds(context.profile));
  }
}

/** Seconds that `probeLatency` is expected to take. */
export function expectedLatencySeconds(profile: CpuProfile): number {
  return chaseSizes(profile.largestChase, profile).length * pointSeconds(profile);
}

function pointSeconds(profile: CpuProfile): number {
  return expectedSeconds(profile, profile.pointRepeats, profile.pointWarmUpSeconds);
}

function chaseSizes(dataSize: number, { smallestPerThread, ratio }: CpuProfile): number[] {
  return [...new Set(workingSets(smallestPerThread, dataSize, ratio).map(chaseSize))];
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
    measured: { kind: 'latency', loads: block.count * team.length, workingSetSize: size },
    threads: team.length,
    seconds,
    ...verdict(seconds, check),
    flags: team.dataSize < largestChase ? [flags.bufferLimit] : [],
  };
}
