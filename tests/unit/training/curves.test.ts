import { expect, test } from 'vitest';
import { trainingCsv, trainingCurves } from '../../../src/core/training/curves.ts';
import type { TrainingEvent } from '../../../src/core/training/trainingRun.ts';

function step(number: number, loss: number, seconds = 0.1): TrainingEvent {
  return { kind: 'step', step: number, steps: 60, epoch: 1, loss, learningRate: 0.1, seconds };
}

test('nothing yet', () => {
  expect(trainingCurves([])).toMatchObject({ step: 0, losses: [], secondsPerStep: undefined });
});

test('the smoothed loss is the mean of the last 25, the pace leaves the first steps out', () => {
  const events = Array.from({ length: 40 }, (_, at) => step(at + 1, at, at < 2 ? 9 : 0.2));
  const { smoothed, secondsPerStep, step: last, steps } = trainingCurves(events);
  expect(smoothed[0]).toEqual({ step: 1, value: 0 });
  expect(smoothed[9]?.value).toBeCloseTo(4.5, 12);
  expect(smoothed[39]?.value).toBeCloseTo((15 + 39) / 2, 12);
  expect(secondsPerStep).toBe(0.2);
  expect([last, steps]).toEqual([40, 60]);
});

test('accuracies are shares of the test images', () => {
  const evaluation = { kind: 'evaluation', step: 2, epoch: 1, correct: 30, count: 40 } as const;
  const events = [step(1, 2), step(2, 1), evaluation];
  expect(trainingCurves(events).accuracies).toEqual([{ step: 2, value: 0.75 }]);
  expect(trainingCsv(events)).toBe(
    'step,epoch,loss,learningRate,seconds,testCorrect,testCount\r\n' +
      '1,1,2,0.1,0.1,,\r\n2,1,1,0.1,0.1,,\r\n2,1,,,,30,40\r\n',
  );
});
