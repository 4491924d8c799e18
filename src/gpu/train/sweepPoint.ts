import { medianInterval, relativeHalfWidth } from '../../core/stats/interval.ts';
import type { StepTiming } from '../../core/run/events.ts';
import type { GpuTrainer } from './gpuTrainer.ts';
import type { MiniBatches } from './miniBatches.ts';
import type { StepTimer } from './stepTimer.ts';

/** What one point of a sweep may cost. */
export interface PointBudget {
  /** Warm steps go on for this long where their interval is not narrow sooner. */
  readonly seconds: number;
  /** A point whose fewest steps would take longer is skipped. */
  readonly mostSeconds: number;
}

/** What was measured at a point, in the words of its event. */
export type PointTiming = Pick<
  StepTiming,
  'coldSeconds' | 'seconds' | 'losses' | 'status' | 'reason'
>;

const fewestWarmSteps = 3;
/** Six values are the fewest whose range covers the median with 95 %. */
const fewestForInterval = 6;
const wantedHalfWidth = 0.03;

/** The point that was not tried. */
export function skippedPoint(reason: string): PointTiming {
  return { coldSeconds: 0, seconds: [], losses: [], status: 'skipped', reason };
}

/**
 * Times steps at one point: a cold one, then warm ones until the 95 % interval of their median is
 * within 3 % or the budget is spent, at least three. Every step trains on the next mini-batch.
 */
export async function timePoint(
  timer: StepTimer,
  trainer: GpuTrainer,
  batches: MiniBatches,
  workgroups: number,
  budget: PointBudget,
): Promise<PointTiming> {
  const predicted = timer.predictedSeconds(trainer) ?? 0;
  if (predicted > budget.mostSeconds)
    return skippedPoint(`one step would take ${predicted.toFixed(1)} s`);
  const losses: number[] = [];
  const step = async () => {
    batches.feed(trainer);
    const sample = await timer.time(trainer, workgroups);
    losses.push(mean(await trainer.readLosses()));
    return sample;
  };

  // The first step teaches the timer how long steps are; a problem with its time says little.
  const { seconds: coldSeconds } = await step();
  const warmSeconds = fewestWarmSteps * coldSeconds;
  if (warmSeconds > budget.mostSeconds) {
    const reason = `three warm steps would take ${warmSeconds.toFixed(1)} s`;
    return { coldSeconds, seconds: [], losses, status: 'skipped', reason };
  }
  const seconds: number[] = [];
  const end = performance.now() + 1000 * budget.seconds;
  let problem = lossProblem(losses);
  while (problem === undefined && !isEnough(seconds, performance.now() > end)) {
    const warm = await step();
    seconds.push(warm.seconds);
    problem = warm.problem ?? lossProblem(losses);
  }
  return problem === undefined
    ? { coldSeconds, seconds, losses, status: 'ok' }
    : { coldSeconds, seconds, losses, status: 'failed', reason: problem };
}

function isEnough(seconds: readonly number[], isSpent: boolean): boolean {
  if (seconds.length < fewestWarmSteps) return false;
  if (isSpent) return true;
  return (
    seconds.length >= fewestForInterval &&
    relativeHalfWidth(medianInterval(seconds)) <= wantedHalfWidth
  );
}

function lossProblem(losses: readonly number[]): string | undefined {
  return losses.every(Number.isFinite) ? undefined : 'the training loss is not a finite number';
}

function mean(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
