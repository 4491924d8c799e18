import { expect, test } from 'vitest';
import { tuningSummaries } from '../../../src/core/roofline/tuning.ts';
import type { Tuning } from '../../../src/core/run/events.ts';
import { sixOf } from './samples.ts';

const tuning: Tuning = {
  device: 'gpu',
  deviceId: 'gpu-0',
  model: 'resnet8',
  batch: 32,
  defaultSeconds: sixOf(0.3),
  tunedSeconds: sixOf(0.2),
  timer: 'timestamp',
  choices: [
    { key: 'a', defaultVariant: 'x', variant: 'x', defaultSeconds: 0.02, seconds: 0.02 },
    { key: 'b', defaultVariant: 'x', variant: 'y', defaultSeconds: 0.06, seconds: 0.03 },
    { key: 'c', defaultVariant: 'x', variant: 'z', defaultSeconds: 0.12, seconds: 0.05 },
  ],
};

test('a tuning is the gain of the step, and that of each choice by what it saves', () => {
  const [summary] = tuningSummaries([tuning]);
  expect(summary).toMatchObject({ model: 'resnet8', defaultSeconds: 0.3, tunedSeconds: 0.2 });
  expect(summary!.gain.ratio).toBeCloseTo(1.5, 12);
  expect(summary!.choices.map(({ key, gain }) => [key, gain])).toEqual([
    ['c', 2.4],
    ['b', 2],
    ['a', 1],
  ]);
});

test('times that are none make no gain', () => {
  expect(tuningSummaries([{ ...tuning, tunedSeconds: [] }])).toEqual([]);
  const broken = { ...tuning.choices[0]!, seconds: 0 };
  expect(tuningSummaries([{ ...tuning, choices: [broken] }])[0]!.choices).toEqual([]);
});
