import { mixedTileSize, type MixedArithmetic } from '../../core/probes/cpuMixed.ts';
import {
  mixedFlops,
  mixedIntensities,
  mixedLineSize,
  mixedShape,
} from '../../core/probes/mixed.ts';
import { roundingFlags } from '../../core/probes/roundingFlags.ts';
import { flags } from '../../core/roofline/flags.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import { shareOf } from '../memory.ts';
import type { ModuleBuild } from '../module.ts';
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

/** Walks the roof with a kernel of every intensity, over all of the team's memory, one sample each. */
export async function probeKnee(
  team: Team,
  build: ModuleBuild,
  context: ProbeContext,
): Promise<void> {
  const stage = `knee, ${threadsInWords(team.length)}`;
  for (const intensity of mixedIntensities) {
    context.progress.advance(stage, 0);
    context.tell(await measureIntensity(team, build, intensity, context.profile));
    context.progress.advance(stage, pointSeconds(context.profile));
  }
}

/** Seconds that `probeKnee` is expected to take; the first point also fills the memory. */
export function expectedKneeSeconds(profile: CpuProfile): number {
  return mixedIntensities.length * pointSeconds(profile);
}

function pointSeconds(profile: CpuProfile): number {
  return expectedSeconds(profile, profile.kneeRepeats, profile.pointWarmUpSeconds);
}

async function measureIntensity(
  team: Team,
  build: ModuleBuild,
  intensity: number,
  { repeatSeconds, kneeRepeats, pointWarmUpSeconds, kneeSize }: CpuProfile,
): Promise<Sample> {
  const threads = team.length;
  const share = shareOf(team.dataSize, threads, 0).size;
  const size = Math.floor(share / mixedTileSize) * mixedTileSize;
  const shape = mixedShape(intensity);
  const arithmetic: MixedArithmetic = build === 'relaxed-simd' ? 'fma' : 'multiplyAdd';
  const work = { kind: 'mixed', arithmetic, shape, size } as const;
  const block = await team.sizeBlocks(work, repeatSeconds / blocksPerRepeat, pointWarmUpSeconds);
  const { seconds, check } = await team.measure(work, block, repeatSeconds, kneeRepeats);
  const bytes = block.count * mixedTileSize * threads;
  return {
    ...cpuSample,
    probe: 'mixed',
    variant: `${arithmetic === 'fma' ? 'fma' : 'multiply+add'} on 128-bit loads, 12 chains`,
    measured: {
      kind: 'mixed',
      precision: 'f32',
      flops: (bytes / mixedLineSize) * mixedFlops(shape),
      bytes,
      workingSetSize: size * threads,
    },
    threads,
    seconds,
    ...verdict(seconds, check),
    flags: [
      ...(check.kind === 'right' && check.rounding ? roundingFlags[check.rounding] : []),
      ...(team.dataSize < kneeSize ? [flags.bufferLimit] : []),
    ],
  };
}
