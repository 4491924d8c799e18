import type { PlanOp, StepRates } from '../../core/nn/plan.ts';
import type { CallTiming, StepTiming } from '../../core/run/events.ts';
import { isEnough, tooLong, type VisitBudget } from '../../core/sweeps/pointBudget.ts';
import type { CpuTrainer, StepSample } from './cpuTrainer.ts';
import type { MiniBatches } from './miniBatches.ts';

/** What one visit of a point may cost, and what the clock tells, in seconds. */
export interface TimedVisitBudget extends VisitBudget {
  /** The shortest time that the clock tells well. */
  readonly clockSpanSeconds: number;
  /** The clock's step. */
  readonly clockStepSeconds: number;
}

/** What was measured at a point, in the words of its event. */
export type PointTiming = Pick<
  StepTiming,
  'coldSeconds' | 'seconds' | 'losses' | 'status' | 'reason' | 'calls'
> & { readonly allReduceSeconds?: number[]; readonly barrierSeconds?: number[] };

/** The rates of the golden runs. */
const rates: StepRates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };
/** Times of each op that are kept. */
const callSamples = 3;

/** The point that was not tried. */
export function skippedPoint(reason: string): PointTiming {
  return { coldSeconds: 0, seconds: [], losses: [], status: 'skipped', reason };
}

/**
 * Times steps at one point: a cold one, then warm ones until they are enough for `budget`. Each trains on the next mini-batch. Steps too
 * short for the clock are run several in a row on the same batch, and their mean is one time.
 */
export async function timePoint(
  trainer: CpuTrainer,
  ops: readonly PlanOp[],
  batches: MiniBatches,
  budget: TimedVisitBudget,
): Promise<PointTiming> {
  const losses: number[] = [];
  const step = async (repeats: number) => {
    const { images, labels } = batches.next(trainer.batch);
    await trainer.setInput(images, labels);
    const samples: StepSample[] = [];
    while (samples.length < repeats) {
      samples.push(await trainer.step(rates));
      if (samples.length === 1) losses.push(await trainer.readLoss());
    }
    return meanOf(samples);
  };

  const { seconds: coldSeconds } = await step(1);
  const reason = tooLong(coldSeconds, budget);
  if (reason !== undefined) return { coldSeconds, seconds: [], losses, status: 'skipped', reason };
  const warm: StepSample[] = [];
  const begin = performance.now();
  const mayEnd = () =>
    isEnough(
      warm.map(({ seconds }) => seconds),
      (performance.now() - begin) / 1000,
      budget,
    );
  let fastest = coldSeconds;
  while (losses.every(Number.isFinite) && !mayEnd()) {
    const wanted = budget.clockSpanSeconds / Math.max(fastest, budget.clockStepSeconds);
    const sample = await step(Math.max(1, Math.ceil(wanted)));
    fastest = Math.min(fastest, sample.seconds);
    warm.push(sample);
  }
  const times = {
    coldSeconds,
    seconds: warm.map(({ seconds }) => seconds),
    barrierSeconds: warm.map(({ barrierSeconds }) => barrierSeconds),
    allReduceSeconds: warm.map(({ allReduceSeconds }) => allReduceSeconds),
    losses,
  };
  if (!losses.every(Number.isFinite))
    return { ...times, status: 'failed', reason: 'the training loss is not a finite number' };
  if (!times.seconds.every((seconds) => seconds > 0))
    return { ...times, status: 'failed', reason: 'the clock stood still during a step' };
  return { ...times, calls: callsOf(ops, warm, budget.clockStepSeconds), status: 'ok' };
}

function meanOf(samples: readonly StepSample[]): StepSample {
  const mean = (of: (sample: StepSample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  return {
    seconds: mean(({ seconds }) => seconds),
    barrierSeconds: mean(({ barrierSeconds }) => barrierSeconds),
    allReduceSeconds: mean(({ allReduceSeconds }) => allReduceSeconds),
    opSeconds: samples[0]!.opSeconds.map((_, op) => mean(({ opSeconds }) => opSeconds[op]!)),
  };
}

/**
 * The ops' times of the last steps. An op that was over before the clock moved in any of them is
 * told together with the one before it.
 */
function callsOf(
  ops: readonly PlanOp[],
  warm: readonly StepSample[],
  clockStepSeconds: number,
): CallTiming[] {
  const last = warm.slice(-callSamples);
  const calls: { ops: number[]; seconds: number[] }[] = [];
  for (const op of ops.keys()) {
    const seconds = last.map(({ opSeconds }) => opSeconds[op]!);
    const before = calls.at(-1);
    if (before === undefined || seconds.every((each) => each >= clockStepSeconds / 2))
      calls.push({ ops: [op], seconds });
    else {
      before.ops.push(op);
      before.seconds = before.seconds.map((each, at) => each + seconds[at]!);
    }
  }
  return calls.map((call) => ({
    ops: call.ops,
    seconds: call.seconds,
    variant: 'default',
    timer: 'clock',
    flags: [],
  }));
}
