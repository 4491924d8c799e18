import type { Sample } from '../core/roofline/sample.ts';
import { thoroughnessOf, type RunConfig } from '../core/run/config.ts';
import type { RunEvent, StepTiming } from '../core/run/events.ts';
import { JobGate, StageSkipped } from '../core/run/gate.ts';
import type { RunTask } from '../core/run/task.ts';
import { failureOf } from './faults.ts';
import { loadModule } from './module.ts';
import { Pool, type ThreadWorker } from './pool.ts';
import type { ProbeContext } from './probes/context.ts';
import { cpuProfiles, fitToClock, teamLengths } from './profile.ts';
import { Progress } from './progress.ts';
import { stagesOf } from './stages.ts';
import { trainingStage } from './train/trainingStage.ts';
import { tuningStage } from './train/tuningStage.ts';

/** What the job needs of the worker that it runs in. */
export interface CpuHost {
  readonly logicalCores: number;
  /** Cross-origin isolated: memory can be shared. */
  readonly isolated: boolean;
  spawnThread(): Promise<ThreadWorker>;
}

/**
 * Measures the CPU: environment, arithmetic and then bandwidth on one thread and on all, latency,
 * then training along the configured sweeps, `done`; where the task is to tune, that alone. A fault ends the job with a `failure`; what was
 * measured was told before it.
 */
export async function runCpuJob(
  host: CpuHost,
  config: RunConfig,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
  gate = new JobGate(),
  task: RunTask = { kind: 'measure' },
): Promise<void> {
  let stage = 'start';
  let pool: Pool | undefined;
  const tell = (event: RunEvent) => {
    if (event.kind === 'progress') {
      ({ stage } = event);
      gate.nameStage(stage);
    }
    emit(event);
  };
  try {
    const { module, build } = await loadModule(host.isolated);
    const threads = Math.max(1, host.logicalCores);
    const starting = Array.from({ length: threads }, () => host.spawnThread());
    const workers = await Promise.all(starting);
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
    const profile = fitToClock(cpuProfiles[thoroughnessOf(config.profile)], clockStepSeconds);
    const tellStep = (step: StepTiming) => emit({ kind: 'step', step });
    const samples: Sample[] = [];
    const stages =
      task.kind === 'tune'
        ? [tuningStage(pool, config, threads, emit)]
        : [
            ...stagesOf(pool, teamLengths(threads, profile), build, profile),
            trainingStage(pool, config, threads, tellStep, samples),
          ];
    const expectedSeconds = stages.reduce((sum, each) => sum + each.expectedSeconds, 0);
    const context: ProbeContext = {
      profile,
      progress: new Progress(expectedSeconds, tell),
      tell: (sample) => {
        samples.push(sample);
        emit({ kind: 'sample', sample });
      },
    };
    for (const { run } of stages) {
      gate.beginStage();
      context.progress.beginStage();
      await run(context).catch(passOnUnlessSkipped);
    }
  } catch (error) {
    if (!signal.aborted) emit({ kind: 'failure', failure: failureOf(error, stage) });
  } finally {
    pool?.terminate();
    emit({ kind: 'done', device: 'cpu', cancelled: signal.aborted });
  }
}

function passOnUnlessSkipped(error: unknown): void {
  if (!(error instanceof StageSkipped)) throw error;
}
