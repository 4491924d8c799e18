import { defaultConfig, type RunConfig } from '../../../src/core/run/config.ts';
import { fashionShape } from '../../../src/core/nn/fashionMnist.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import type { RunEvent, StepTiming, Tuning } from '../../../src/core/run/events.ts';
import { choicesOf } from '../../../src/gpu/kernels/convVariants.ts';
import { GpuQueue } from '../../../src/gpu/queue.ts';
import type { SweepPlan } from '../../../src/gpu/train/sweepPlan.ts';
import { trainingSweeps } from '../../../src/gpu/train/trainingSweeps.ts';
import type { TunePlan } from '../../../src/gpu/train/tunePlan.ts';
import { tuneSteps } from '../../../src/gpu/train/tuneSteps.ts';
import type { SharedDevice } from '../sharedDevice.ts';
import { timestampTimer } from '../timestampTimer.ts';

/** Small enough for a test; the page's tests run the real ones. */
export const smallPlan: SweepPlan = {
  largestBatch: 2,
  softwareBatch: 2,
  assumedBatch: 2,
  pointBudget: { seconds: 0.2, mostSeconds: 60, visits: 2 },
  mostWorkgroupValues: Infinity,
  tuneSeconds: 0,
  modelSeconds: 120,
  allSeconds: Infinity,
  callSeconds: 60,
  callsAt: 'working batch',
};

/** An earlier tuning that chose the one variant for all convolutions that compiles in no time. */
function quicklyCompiled(deviceId: string): RunEvent {
  const { ops } = trainingPlan('resnet8', 1, fashionShape);
  const variants = Object.entries(choicesOf(ops, { quads: false, software: false }, 'matrix'));
  const choices = variants.map(([key, variant]) => ({
    key,
    variant,
    defaultVariant: variant,
    defaultSeconds: 1,
    seconds: 1,
  }));
  const subject = { device: 'gpu', deviceId, model: 'resnet8', batch: 1 } as const;
  const times = { defaultSeconds: [], tunedSeconds: [], timer: 'timestamp' } as const;
  return { kind: 'tuning', tuning: { ...subject, scope: 'kernels', ...times, choices } };
}

/** Runs sweeps and tunings on a device as a GPU job does. */
export async function openSweeps(shared: SharedDevice, { signal } = new AbortController()) {
  const { device, environment, watch } = await shared.open();
  const queue = new GpuQueue(device, watch, signal);
  const timer = await timestampTimer(queue);
  const fractions: number[] = [];
  const contextOf = (
    sweeps: RunConfig['sweeps'],
    emit: (event: RunEvent) => void,
    told: readonly RunEvent[] = [],
  ) => ({
    config: { ...defaultConfig, device: 'gpu' as const, sweeps },
    environment: { ...environment, timer: timer.source },
    queue,
    timer,
    told,
    emit,
    progress: (_: string, fraction: number) => fractions.push(fraction),
  });
  const quickly = [quicklyCompiled(environment.deviceId)];
  const run = (
    plan: SweepPlan,
    sweeps: RunConfig['sweeps'],
    onStep: (step: StepTiming) => void,
    told: readonly RunEvent[] = quickly,
  ) => {
    const emit = (event: RunEvent) => {
      if (event.kind === 'step') onStep(event.step);
    };
    return trainingSweeps(contextOf(sweeps, emit, told), plan);
  };
  const tune = async (plan: TunePlan) => {
    const tunings: Tuning[] = [];
    const emit = (event: RunEvent) => {
      if (event.kind === 'tuning') tunings.push(event.tuning);
    };
    await tuneSteps(contextOf([], emit), plan);
    return tunings;
  };
  return { device, run, tune, fractions };
}
