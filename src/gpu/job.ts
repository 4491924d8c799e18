import { thoroughnessOf, type RunConfig, type Thoroughness } from '../core/run/config.ts';
import type { GpuEnvironment, RunEvent } from '../core/run/events.ts';
import { JobGate, StageSkipped } from '../core/run/gate.ts';
import type { EarlierChoices } from '../core/tuning/keptChoices.ts';
import type { GpuContext } from './context.ts';
import { openDevice, type OpenGpu } from './device.ts';
import { failureOf } from './faults.ts';
import { accessProbe, latencyProbe } from './probes/accessProbe.ts';
import { arithmeticProbe } from './probes/arithmeticProbe.ts';
import { innerMemoryProbe } from './probes/innerMemoryProbe.ts';
import { kneeProbe } from './probes/kneeProbe.ts';
import { overheadProbe } from './probes/overheadProbe.ts';
import { streamProbe } from './probes/streamProbe.ts';
import { tellSubgroupMatrix } from './probes/subgroupMatrix.ts';
import { sustainedProbe } from './probes/sustainedProbe.ts';
import { transferProbe } from './probes/transferProbe.ts';
import { Progress } from './progress.ts';
import { GpuQueue } from './queue.ts';
import { GpuTimer } from './timer.ts';
import { trainingSweeps } from './train/trainingSweeps.ts';

interface Stage {
  readonly name: string;
  /** Seconds that it should take on a software GPU; for progress only. */
  readonly seconds: number;
  readonly run: (context: GpuContext) => Promise<void>;
}

const timerSeconds = 1.5;

/** What a job measures, in order. A stage that fails leaves the later ones to run. */
function stagesOf({ profile, models, sweeps }: RunConfig): readonly Stage[] {
  if (profile === 'sustained')
    return [{ name: 'sustained', seconds: 66, run: (context) => sustainedProbe(context) }];
  const stage = (
    name: string,
    seconds: Record<Thoroughness, number>,
    run: Stage['run'],
  ): Stage => ({
    name,
    seconds: seconds[thoroughnessOf(profile)],
    run,
  });
  const trained = sweeps.length === 0 ? 0 : models.length;
  return [
    stage('arithmetic', { quick: 5, full: 60 }, arithmeticProbe),
    stage('subgroup matrices', { quick: 0.1, full: 0.1 }, tellSubgroupMatrix),
    stage('bandwidth', { quick: 9.5, full: 45 }, streamProbe),
    stage('inner memory', { quick: 3, full: 9 }, innerMemoryProbe),
    stage('latency', { quick: 1, full: 4 }, latencyProbe),
    stage('knee', { quick: 3, full: 10 }, kneeProbe),
    stage('gathers and atomics', { quick: 1.2, full: 6 }, accessProbe),
    stage('transfers', { quick: 2, full: 9 }, transferProbe),
    stage('launch overheads', { quick: 1.5, full: 5 }, overheadProbe),
    stage('training', { quick: 25 * trained, full: 120 * trained }, trainingSweeps),
  ];
}

interface JobOptions {
  readonly gpu?: GPU;
  readonly gate?: JobGate;
  readonly earlierChoices?: EarlierChoices;
}

/**
 * Measures the GPU: its environment, its ceilings, the training trajectories, `done`. A fault is
 * told as a `failure` and keeps what was measured; only a lost device or a cancel ends the job.
 */
export async function runGpuJob(
  config: RunConfig,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
  options: JobOptions = {},
): Promise<void> {
  const opened = await openDevice(options.gpu);
  switch (opened.kind) {
    case 'failure':
      emit(opened);
      break;
    case 'ok':
      await measure(opened, config, emit, signal, options);
      opened.device.destroy();
      break;
  }
  emit({ kind: 'done', device: 'gpu', cancelled: signal.aborted });
}

async function measure(
  { device, watch, environment: description }: OpenGpu,
  config: RunConfig,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
  { gate = new JobGate(), earlierChoices: choices = {} }: JobOptions,
): Promise<void> {
  /** Runs a stage to its end or its failure; whether the job can go on. */
  async function attempt(stage: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof StageSkipped) return true;
      emit({ kind: 'failure', failure: failureOf(error, stage) });
      return (await watch.faultWithin(0)) === undefined;
    }
  }

  const stages = stagesOf(config);
  const progress = new Progress(
    stages.reduce((sum, { seconds }) => sum + seconds, timerSeconds),
    emit,
  );
  const queue = new GpuQueue(device, watch, signal, gate);
  let context: GpuContext | undefined;
  progress.begin(timerSeconds);
  progress.tell('timer', 0);
  await attempt('timer', async () => {
    const timer = await GpuTimer.create(queue);
    const environment: GpuEnvironment = {
      ...description,
      timer: timer.source,
      ...(timer.gridSeconds !== undefined && { timestampGridSeconds: timer.gridSeconds }),
    };
    emit({ kind: 'environment', environment });
    const tell = progress.tell.bind(progress);
    const earlierChoices = choices[environment.deviceId] ?? [];
    context = { config, environment, queue, timer, earlierChoices, emit, progress: tell };
  });
  if (context === undefined) return;
  for (const { name, seconds, run } of stages) {
    gate.beginStage();
    progress.begin(seconds);
    const ready = context;
    if (!(await attempt(name, () => run(ready)))) break;
  }
  emit({ kind: 'longest', device: 'gpu', longest: context.timer.longest });
}
