import {
  computeKernelNames,
  computeKernels,
  type ComputeKernelName,
} from '../core/probes/cpuKernels.ts';
import { arraySize, streamNames, streams } from '../core/probes/streams.ts';
import type { ModuleBuild } from './module.ts';
import type { Pool } from './pool.ts';
import { expectedBandwidthSeconds, probeBandwidth } from './probes/bandwidth.ts';
import { expectedComputeSeconds, probeCompute } from './probes/compute.ts';
import type { ProbeContext } from './probes/context.ts';
import { expectedKneeSeconds, probeKnee } from './probes/knee.ts';
import { expectedLatencySeconds, probeLatency } from './probes/latency.ts';
import { expectedOverheadSeconds, probeOverheads } from './probes/overheads.ts';
import type { Work } from './probes/runner.ts';
import { racersOf, type CpuProfile } from './profile.ts';

/** A part of the job, with a team of its own. */
export interface Stage {
  readonly expectedSeconds: number;
  readonly run: (context: ProbeContext) => Promise<void>;
}

/** Each thread's data while only arithmetic is measured, and the least that a sweep is worth. */
const leastShareSize = 64 * 1024;

/** All that is measured, in order: what matters most comes first, so that a cancel keeps it. */
export function stagesOf(
  pool: Pool,
  teamLengths: readonly number[],
  build: ModuleBuild,
  profile: CpuProfile,
): Stage[] {
  const kernels = computeKernelNames.filter(
    (name) =>
      (build === 'relaxed-simd' || !computeKernels[name].relaxed) &&
      racersOf(name, profile).length > 0,
  );
  const ends = [...new Set([teamLengths[0]!, teamLengths.at(-1)!])];
  const latencyTeams = profile.isCoarse ? ends.slice(0, 1) : ends;
  const kneeTeams = profile.kneeTeams === 'ends' ? ends : ends.slice(-1);
  return [
    warmUp(pool, Math.max(...teamLengths), kernels, profile),
    ...teamLengths.map((length) => compute(pool, length, kernels, profile)),
    ...teamLengths.map((length) => bandwidth(pool, length, profile)),
    ...latencyTeams.map((length) => latency(pool, length, profile)),
    ...kneeTeams.map((length) => knee(pool, length, build, profile)),
    ...teamLengths.map((length) => overheads(pool, length)),
  ];
}

/** Once and on all threads: an engine optimises a function for all threads together. */
function warmUp(
  pool: Pool,
  length: number,
  kernels: readonly ComputeKernelName[],
  profile: CpuProfile,
): Stage {
  const { warmUpSeconds } = profile;
  const works: readonly Work[] = [
    ...kernels
      .flatMap((kernel) => racersOf(kernel, profile))
      .map((variant) => ({ kind: 'chains', variant }) as const),
    ...streamNames.map((stream) => {
      const size = arraySize(streams[stream], leastShareSize);
      return { kind: 'stream', stream, arraySize: size } as const;
    }),
    { kind: 'chase', size: leastShareSize },
  ];
  return {
    expectedSeconds: warmUpSeconds,
    async run({ progress }) {
      const team = await pool.gather(length, leastShareSize * length, leastShareSize * length);
      await team.touch(leastShareSize);
      for (const work of works) {
        await team.sizeBlocks(work, 1e-3, warmUpSeconds / works.length);
        progress.advance('warm-up', warmUpSeconds / works.length);
      }
      await team.disband();
    },
  };
}

function compute(
  pool: Pool,
  length: number,
  kernels: readonly ComputeKernelName[],
  profile: CpuProfile,
): Stage {
  const seconds = kernels.map((kernel) => expectedComputeSeconds(kernel, profile));
  return {
    expectedSeconds: seconds.reduce((sum, each) => sum + each, 0),
    async run(context) {
      const team = await pool.gather(length, leastShareSize * length, leastShareSize * length);
      for (const kernel of kernels) await probeCompute(team, kernel, context);
      await team.disband();
    },
  };
}

function bandwidth(pool: Pool, length: number, profile: CpuProfile): Stage {
  return {
    expectedSeconds: expectedBandwidthSeconds(length, profile),
    async run(context) {
      const team = await pool.gather(length, profile.largest, leastShareSize * length);
      await probeBandwidth(team, context);
      await team.disband();
    },
  };
}

function latency(pool: Pool, length: number, profile: CpuProfile): Stage {
  return {
    expectedSeconds: expectedLatencySeconds(length, profile),
    async run(context) {
      const team = await pool.gather(length, profile.largestChase, leastShareSize * length);
      await probeLatency(team, context);
      await team.disband();
    },
  };
}

function knee(pool: Pool, length: number, build: ModuleBuild, profile: CpuProfile): Stage {
  return {
    expectedSeconds: expectedKneeSeconds(profile),
    async run(context) {
      const team = await pool.gather(length, profile.kneeSize, leastShareSize * length);
      await probeKnee(team, build, context);
      await team.disband();
    },
  };
}

function overheads(pool: Pool, length: number): Stage {
  return {
    expectedSeconds: expectedOverheadSeconds(length, pool.sharedMemory),
    async run(context) {
      const team = await pool.gather(length, leastShareSize * length, leastShareSize * length);
      await probeOverheads(team, context);
      await team.disband();
    },
  };
}
