import {
  fewestWarmSteps,
  isEnough,
  tooLong,
  type VisitBudget,
} from '../../core/sweeps/pointBudget.ts';
import type { StepTiming } from '../../core/run/events.ts';
import type { GpuTrainer } from './gpuTrainer.ts';
import type { MiniBatches } from './miniBatches.ts';
import type { StepTimer } from './stepTimer.ts';

/** What was measured at a point, in the words of its event. */
export type PointTiming = Pick<
  StepTiming,
  | 'coldSeconds'
  | 'seconds'
  | 'losses'
  | 'status'
  | 'reason'
  | 'calls'
  | 'issuedBytes'
  | 'compileSeconds'
>;

/** Steps that the timer found fault with are left out and taken again, so many at the most. */
const mostProblems = 3;

/** The point that was not tried. */
export function skippedPoint(reason: string): PointTiming {
  return { coldSeconds: 0, seconds: [], losses: [], status: 'skipped', reason };
}

/** The point of which nothing is known. */
export function failedPoint(reason: string): PointTiming {
  return { coldSeconds: 0, seconds: [], losses: [], status: 'failed', reason };
}

/**
 * Times steps at one point: a cold one, then warm ones until they are enough for `budget`. Every
 * step trains on the next mini-batch.
 */
export async function timePoint(
  timer: StepTimer,
  trainer: GpuTrainer,
  batches: MiniBatches,
  workgroups: number,
  budget: VisitBudget,
): Promise<PointTiming> {
  const losses: number[] = [];
  const seconds: number[] = [];
  const step = async () => {
    batches.feed(trainer);
    const sample = await timer.time(trainer, workgroups);
    losses.push(mean(await trainer.readLosses()));
    return sample;
  };
  const ended = (status: PointTiming['status'], coldSeconds: number, reason?: string) => ({
    coldSeconds,
    seconds: status === 'skipped' ? [] : seconds,
    losses,
    status,
    ...(reason !== undefined && { reason }),
  });

  // The first step teaches the timer how long steps are; a problem with its time says little.
  const { seconds: coldSeconds } = await step();
  if (coldSeconds > budget.mostSeconds)
    return ended('skipped', coldSeconds, tooLong(coldSeconds, budget));
  const begin = performance.now();
  let problems = 0;
  while (!isEnough(seconds, (performance.now() - begin) / 1000, budget)) {
    const warm = await step();
    const bad = lossProblem(losses);
    if (bad !== undefined) return ended('failed', coldSeconds, bad);
    if (warm.problem !== undefined) {
      losses.pop();
      problems += 1;
      if (problems > mostProblems) return ended('failed', coldSeconds, warm.problem);
      continue;
    }
    seconds.push(warm.seconds);
    const reason = seconds.length < fewestWarmSteps ? tooLong(warm.seconds, budget) : undefined;
    if (reason !== undefined) return ended('skipped', coldSeconds, reason);
  }
  return ended('ok', coldSeconds);
}

function lossProblem(losses: readonly number[]): string | undefined {
  return losses.every(Number.isFinite) ? undefined : 'the training loss is not a finite number';
}

function mean(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
