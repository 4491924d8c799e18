import { computeKernelNames, computeKernels, variantsOf } from '../core/probes/cpuKernels.ts';
import { arraySize, streamNames, streams } from '../core/probes/streams.ts';
import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import { failureOf } from './faults.ts';
import { loadModule, type ModuleBuild } from './module.ts';
import { Pool, type ThreadWorker } from './pool.ts';
import { expectedBandwidthSeconds, probeBandwidth } from './probes/bandwidth.ts';
import { expectedComputeSeconds, probeCompute } from './probes/compute.ts';
import type { ProbeContext } from './probes/context.ts';
import type { Work } from './probes/runner.ts';
import { cpuProfiles, fitToClock, type CpuProfile } from './profile.ts';
import { Progress } from './progress.ts';

/** What the job needs of the worker that it runs in. */
export interface CpuHost {
  readonly logicalCores: number;
  /** Cross-origin isolated: memory can be shared. */
  readonly isolated: boolean;
  spawnThread(): ThreadWorker;
}

/** Each thread's share while only arithmetic is measured, and the least that a sweep is worth. */
const leastShareSize = 64 * 1024;

/**
 * Measures the CPU: environment, arithmetic on one thread and on all, bandwidth on one and on all,
 * `done`. A fault ends the job with a `failure`; what was measured was told before it.
 */
export async function runCpuJob(
  host: CpuHost,
  config: RunConfig,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let stage = 'start';
  let pool: Pool | undefined;
  const tell = (event: RunEvent) => {
    if (event.kind === 'progress') ({ stage } = event);
    emit(event);
  };
  try {
    const { module, build } = await loadModule(host.isolated);
    const threads = host.isolated ? Math.max(1, host.logicalCores) : 1;
    const workers = Array.from({ length: threads }, () => host.spawnThread());
    pool = new Pool(workers, module, host.isolated, signal);
    const clockStepSeconds = await pool.clockStep();
    emit({
      kind: 'environment',
      environment: {
        device: 'cpu',
        deviceId: 'cpu',
        logicalCores: host.logicalCores,
        isolated: host.isolated,
        threads,
        module: build,
        sharedMemory: host.isolated,
        clockStepSeconds,
      },
    });
    const profile = fitToClock(cpuProfiles[config.profile], clockStepSeconds);
    await measureAll(pool, teamLengths(threads), build, profile, tell);
  } catch (error) {
    if (!signal.aborted) emit({ kind: 'failure', failure: failureOf(error, stage) });
  } finally {
    pool?.terminate();
    emit({ kind: 'done', device: 'cpu', cancelled: signal.aborted });
  }
}

function teamLengths(threads: number): readonly number[] {
  return threads === 1 ? [1] : [1, threads];
}

async function measureAll(
  pool: Pool,
  lengths: readonly number[],
  build: ModuleBuild,
  profile: CpuProfile,
  emit: (event: RunEvent) => void,
): Promise<void> {
  const kernels = computeKernelNames.filter(
    (name) => build === 'relaxed-simd' || !computeKernels[name].relaxed,
  );
  const context: ProbeContext = {
    profile,
    progress: new Progress(expectedSeconds(), emit),
    tell: (sample) => emit({ kind: 'sample', sample }),
  };

  function expectedSeconds(): number {
    const compute = kernels.map((kernel) => expectedComputeSeconds(kernel, profile));
    const bandwidth = lengths.map((length) => expectedBandwidthSeconds(length, profile));
    const once = compute.reduce((sum, seconds) => sum + seconds, profile.warmUpSeconds);
    return once * lengths.length + bandwidth.reduce((sum, seconds) => sum + seconds, 0);
  }

  /** Once, on all threads: engines optimise each function for all threads together. */
  async function warmUp(): Promise<void> {
    const length = Math.max(...lengths);
    const team = await pool.gather(length, leastShareSize * length, leastShareSize * length);
    await team.touch(leastShareSize);
    const works: Work[] = [
      ...kernels.flatMap(variantsOf).map((variant): Work => ({ kind: 'chains', variant })),
      ...streamNames.map((stream): Work => {
        const size = arraySize(streams[stream], leastShareSize);
        return { kind: 'stream', stream, arraySize: size };
      }),
    ];
    for (const work of works) {
      await team.sizeBlocks(work, 1e-3, profile.warmUpSeconds / works.length);
      context.progress.advance('warm-up', profile.warmUpSeconds / works.length);
    }
    await team.disband();
  }

  await warmUp();
  for (const length of lengths) {
    const team = await pool.gather(length, leastShareSize * length, leastShareSize * length);
    for (const kernel of kernels) await probeCompute(team, kernel, context);
    await team.disband();
  }
  for (const length of lengths) {
    const team = await pool.gather(length, profile.largest, leastShareSize * length);
    await probeBandwidth(team, context);
    await team.disband();
  }
}
