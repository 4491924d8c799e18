import { expect, test } from 'vitest';
import { timeViewSection } from '../../../src/cli/timeViewReport.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { timeViews } from '../../../src/core/roofline/timeViews.ts';
import type { CallTiming, RunEvent, StepTiming } from '../../../src/core/run/events.ts';
import { sixOf, stepOf } from './samples.ts';

/** Every op in its own call of 1 ms, in a step that takes 1.25 times the sum. */
function timed(batch: number, change: Partial<StepTiming> = {}): RunEvent {
  const { ops } = trainingPlan('resnet8', batch, { height: 32, width: 32, channels: 1 });
  const calls = ops.map((_, op): CallTiming => ({
    ops: [op],
    variant: 'plain',
    seconds: sixOf(1e-3),
    timer: 'timestamp',
    flags: [],
  }));
  const seconds = sixOf(1.25e-3 * ops.length);
  return { kind: 'step', step: stepOf({ batch, value: batch, seconds, calls, ...change }) };
}

test('a view a network and device, of the largest batch with calls', () => {
  const views = timeViews(
    [
      timed(4),
      timed(8),
      { kind: 'step', step: stepOf({ batch: 16, value: 16 }) },
      timed(32, { status: 'failed' }),
      timed(2, { deviceId: 'another' }),
    ],
    [],
  );
  expect(views.map(({ batch }) => batch)).toEqual([8, 2]);
});

test('the step takes what it took at all visits, not at the one whose calls were timed', () => {
  const [view] = timeViews([timed(8)], []);
  const usual = view!.breakdown.stepSeconds;
  const slow = timed(8, { seconds: sixOf(2 * usual) });
  const visit: RunEvent = {
    kind: 'step',
    step: stepOf({ batch: 8, value: 8, seconds: [...sixOf(usual), ...sixOf(usual)] }),
  };
  const other: RunEvent = {
    kind: 'step',
    step: stepOf({ batch: 8, value: 8, seconds: sixOf(9), deviceId: 'another' }),
  };
  const [pooled] = timeViews([visit, slow, other], []);
  expect(pooled!.breakdown.stepSeconds).toBeCloseTo(usual, 12);
  expect(pooled!.breakdown.callSeconds).toBeCloseTo(view!.breakdown.callSeconds, 12);
});

test('the report closes the sum to the whole step and lists ten calls', () => {
  const [view] = timeViews([timed(8)], []);
  const lines = timeViewSection(view!).split('\n');
  const ops = view!.breakdown.calls.length;
  const cellsOf = (label: string) =>
    lines.filter((line) => line.trim().startsWith(label)).map((line) => line.trim().split(/ {2,}/));
  expect(cellsOf('remainder')).toEqual([['remainder', `${(ops / 4).toFixed(1)} ms`, '20 %']]);
  expect(cellsOf('whole step')).toEqual([['whole step', `${(1.25 * ops).toFixed(1)} ms`, '100 %']]);
  expect(lines.filter((line) => line.includes(' plain '))).toHaveLength(10);
  // Without ceilings there is no bound, and all of a call's time counts as lost.
  expect(lines.find((line) => line.includes(' plain '))).toMatch(/1\.00 ms +\d+ % +– +1\.00 ms$/);
});
