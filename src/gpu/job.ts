import { thoroughnessOf, type RunConfig, type Thoroughness } from '../core/run/config.ts';
import type { GpuEnvironment, RunEvent } from '../core/run/events.ts';
import { JobGate, StageSkipped } from '../core/run/gate.ts';
import { isToldOf, stagesLeft, type RunTask } from '../core/run/task.ts';
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
import type { DeviceWatch } from './watch.ts';
import { trainingSweeps } from './train/trainingSweeps.ts';
import { tuneSteps } from './train/tuneSteps.ts';

interface Stage {
  readonly name: string;
  /** Seconds that it should take on a software GPU; for progress only. */
  readonly seconds: number;
  /** After a lost device it goes on by what it has told; others are left where they were lost. */
  readonly continues: boolean;
  readonly run: (context: GpuContext) => Promise<void>;
}

const timerSeconds = 1.5;
/** A device that is lost is opened anew, once: what loses two would lose more. */
const mostDevices = 2;

/** What a job measures, in order. A stage that fails leaves the later ones to run. */
function stagesOf({ profile, models, sweeps }: RunConfig, task: RunTask): readonly Stage[] {
  const stage = (
    name: string,
    seconds: Record<Thoroughness, number>,
    run: Stage['run'],
  ): Stage => ({
    name,
    seconds: seconds[thoroughnessOf(profile)],
    continues: run === trainingSweeps,
    run,
  });
  if (task.kind === 'tune') {
    const seconds = { quick: 35 * models.length, full: 400 * models.length };
    return [stage('tuning', seconds, tuneSteps)];
  }
  if (profile === 'sustained')
    return [stage('sustained', { quick: 66, full: 66 }, (context) => sustainedProbe(context))];
  const trained = sweeps.length === 0 ? 0 : models.length;
  return [
    stage('arithmetic', { quick: 4.5, full: 45 }, arithmeticProbe),
    stage('subgroup matrices', { quick: 0.1, full: 0.1 }, tellSubgroupMatrix),
    stage('bandwidth', { quick: 7, full: 45 }, streamProbe),
    stage('inner memory', { quick: 2.2, full: 9 }, innerMemoryProbe),
    stage('latency', { quick: 0.6, full: 4 }, latencyProbe),
    stage('knee', { quick: 2.5, full: 12 }, kneeProbe),
    stage('gathers and atomics', { quick: 0.6, full: 6 }, accessProbe),
    stage('transfers', { quick: 0.8, full: 6 }, transferProbe),
    stage('launch overheads', { quick: 0.7, full: 4 }, overheadProbe),
    stage('training', { quick: 25 * trained, full: 120 * trained }, trainingSweeps),
  ];
}

interface JobOptions {
  readonly gpu?: GPU;
  readonly gate?: JobGate;
  readonly earlierChoices?: EarlierChoices;
  readonly task?: RunTask;
}

/**
 * Measures the GPU: its environment, its ceilings, the training trajectories, `done`. A fault is
 * told as a `failure` and keeps what was measured. After a lost device the job goes on with the stages
 * left on a new one, once; only a second loss or a cancel ends it.
 */
export async function runGpuJob(
  config: RunConfig,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
  options: JobOptions = {},
): Promise<void> {
  const { gpu, task = { kind: 'measure' } } = options;
  const told = task.kind === 'resume' ? [...task.told] : [];
  const tell = (event: RunEvent): void => {
    if (isToldOf(event, 'gpu')) told.push(event);
    emit(event);
  };
  for (let devices = 0; devices < mostDevices; devices += 1) {
    const opened = await openDevice(gpu);
    if (opened.kind === 'failure') {
      emit(opened);
      break;
    }
    const stages = stagesLeft(stagesOf(config, task), told, 'gpu');
    const end = await measure(opened, config, stages, tell, told, signal, options);
    opened.device.destroy();
    if (end === 'over' || signal.aborted) break;
  }
  emit({ kind: 'done', device: 'gpu', cancelled: signal.aborted });
}

/** Runs stages on a device until they are over or it is lost. */
async function measure(
  { device, watch, environment: description }: OpenGpu,
  config: RunConfig,
  stages: readonly Stage[],
  emit: (event: RunEvent) => void,
  told: readonly RunEvent[],
  signal: AbortSignal,
  { gate = new JobGate(), earlierChoices: choices = {} }: JobOptions,
): Promise<'over' | 'lost'> {
  /** Runs a stage to its end or its failure; whether the job can go on. */
  async function attempt(stage: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof StageSkipped) return true;
      // Firefox refuses what is done with a lost device before it tells of the loss.
      emit({ kind: 'failure', failure: failureOf(await watch.causeOf(error), stage) });
      return (await watch.faultWithin(0)) === undefined;
    }
  }

  const progress = new Progress(
    stages.reduce((sum, { seconds }) => sum + seconds, timerSeconds),
    (event) => {
      gate.nameStage(event.stage);
      emit(event);
    },
  );
  const queue = new GpuQueue(device, watch, signal, gate);
  let context: GpuContext | undefined;
  progress.begin('timer', timerSeconds);
  await attempt('timer', async () => {
    const timer = await GpuTimer.create(queue, description.software);
    const environment: GpuEnvironment = {
      ...description,
      timer: timer.source,
      ...(timer.gridSeconds !== undefined && { timestampGridSeconds: timer.gridSeconds }),
    };
    emit({ kind: 'environment', environment });
    const tell = progress.tell.bind(progress);
    const earlierChoices = choices[environment.deviceId] ?? [];
    context = { config, environment, queue, timer, earlierChoices, told, emit, progress: tell };
  });
  if (context === undefined) return endOf(watch);
  for (const { name, seconds, run } of stages) {
    gate.beginStage();
    progress.begin(name, seconds);
    const ready = context;
    if (!(await attempt(name, () => run(ready)))) break;
  }
  emit({ kind: 'longest', device: 'gpu', longest: context.timer.longest });
  return endOf(watch);
}

async function endOf(watch: DeviceWatch): Promise<'over' | 'lost'> {
  return (await watch.faultWithin(0))?.kind === 'device-lost' ? 'lost' : 'over';
}
