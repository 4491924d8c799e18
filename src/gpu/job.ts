import { thoroughnessOf, type RunConfig, type Thoroughness } from '../core/run/config.ts';
import type { GpuEnvironment, RunEvent } from '../core/run/events.ts';
import { JobGate, StageSkipped } from '../core/run/gate.ts';
import type { GpuContext } from './context.ts';
import { openDevice, type OpenGpu } from './device.ts';
import { failureOf } from './faults.ts';
import { arithmeticProbe } from './probes/arithmeticProbe.ts';
import { overheadProbe } from './probes/overheadProbe.ts';
import { streamProbe } from './probes/streamProbe.ts';
import { Progress } from './progress.ts';
import { GpuQueue } from './queue.ts';
import { GpuTimer } from './timer.ts';
import { trainingSweeps } from './train/trainingSweeps.ts';

interface Stage {
  readonly name: string;
  /** Seconds that it should take; for progress only. */
  readonly seconds: Readonly<Record<Thoroughness, number>>;
  readonly run: (context: GpuContext) => Promise<void>;
}

const timerSeconds = 1.5;

/** What a job measures, in order. A stage that fails leaves the later ones to run. */
const stages: readonly Stage[] = [
  { name: 'arithmetic', seconds: { quick: 6, full: 90 }, run: arithmeticProbe },
  { name: 'bandwidth', seconds: { quick: 8, full: 100 }, run: streamProbe },
  { name: 'launch overheads', seconds: { quick: 1.5, full: 5 }, run: overheadProbe },
  { name: 'training', seconds: { quick: 25, full: 120 }, run: trainingSweeps },
];

/**
 * Measures the GPU: its environment, its ceilings, the training trajectories, `done`. A fault is
 * told as a `failure` and keeps what was measured; only a lost device or a cancel ends the job.
 */
export async function runGpuJob(
  config: RunConfig,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
  gpu?: GPU,
  gate = new JobGate(),
): Promise<void> {
  const opened = await openDevice(gpu);
  switch (opened.kind) {
    case 'failure':
      emit(opened);
      break;
    case 'ok':
      await measure(opened, config, emit, signal, gate);
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
  gate: JobGate,
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

  const thoroughness = thoroughnessOf(config.profile);
  const seconds = stages.map((stage) => stage.seconds[thoroughness]);
  const progress = new Progress(
    seconds.reduce((sum, value) => sum + value, timerSeconds),
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
    context = { config, environment, queue, timer, emit, progress: tell };
  });
  if (context === undefined) return;
  for (const { name, seconds: expected, run } of stages) {
    gate.beginStage();
    progress.begin(expected[thoroughness]);
    const ready = context;
    if (!(await attempt(name, () => run(ready)))) return;
  }
}
