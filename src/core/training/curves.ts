import { median } from '../stats/median.ts';
import type { TrainingEvent } from './trainingRun.ts';

/** A value after so many steps. */
export interface CurvePoint {
  readonly step: number;
  readonly value: number;
}

/** What a training run's events say so far. */
export interface TrainingCurves {
  /** Steps in all; 0 before the first one. */
  readonly steps: number;
  readonly step: number;
  readonly epoch: number;
  /** Loss of each batch before its update. */
  readonly losses: readonly CurvePoint[];
  /** Mean of the last `window` losses, at each step. */
  readonly smoothed: readonly CurvePoint[];
  /** Share of the test images told right, after each epoch. */
  readonly accuracies: readonly CurvePoint[];
  /** Median of recent steps; undefined before there are any. */
  readonly secondsPerStep: number | undefined;
}

/** Losses of single batches jump about: the eye follows a mean over so many. */
const window = 25;
const recentSteps = 50;
/** The first steps compile and warm up. */
const warmUpSteps = 2;

/** Series for drawing, derived from the events of one run in their order. */
export function trainingCurves(events: readonly TrainingEvent[]): TrainingCurves {
  const done = events.filter((event) => event.kind === 'step');
  const last = done.at(-1);
  const losses = done.map(({ step, loss }) => ({ step, value: loss }));
  const warm = done.slice(warmUpSteps).slice(-recentSteps);
  return {
    steps: last?.steps ?? 0,
    step: last?.step ?? 0,
    epoch: last?.epoch ?? 0,
    losses,
    smoothed: movingMean(losses),
    accuracies: events.flatMap((event) =>
      event.kind === 'evaluation' ? [{ step: event.step, value: event.correct / event.count }] : [],
    ),
    secondsPerStep: warm.length === 0 ? undefined : median(warm.map(({ seconds }) => seconds)),
  };
}

function movingMean(points: readonly CurvePoint[]): CurvePoint[] {
  let sum = 0;
  return points.map(({ step, value }, index) => {
    sum += value - (points[index - window]?.value ?? 0);
    return { step, value: sum / Math.min(index + 1, window) };
  });
}

/** One row a step or evaluation, RFC 4180, under a header row. */
export function trainingCsv(events: readonly TrainingEvent[]): string {
  const rows = events.map((event) => {
    switch (event.kind) {
      case 'step': {
        const { step, epoch, loss, learningRate, seconds } = event;
        return [step, epoch, loss, learningRate, seconds, '', ''];
      }
      case 'evaluation':
        return [event.step, event.epoch, '', '', '', event.correct, event.count];
    }
  });
  const header = ['step', 'epoch', 'loss', 'learningRate', 'seconds', 'testCorrect', 'testCount'];
  return [header, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
