import { expect, test } from 'vitest';
import { explainTuning } from '../../../src/core/roofline/explainTuning.ts';
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

test('the last tuning of each kind counts, and its gain is of images a second', () => {
  const twice = {
    ...tuning,
    scope: 'configuration',
    tuned: { batch: 64, workgroups: 512 },
    choices: [],
  } as const;
  const found = tuningSummaries([tuning, { ...twice, tunedSeconds: sixOf(9) }, twice]);
  expect(found.map(({ scope }) => scope)).toEqual(['kernels', 'configuration']);
  // Twice the images in two thirds of the time.
  expect(found[1]!.gain.ratio).toBeCloseTo(3, 12);
  expect(explainTuning(found[1]!)).toBe(
    'Another configuration alone (batch 64, 512 workgroups): 3.00 times the images a second (3.00 to 3.00 by the intervals).',
  );
  expect(explainTuning(found[0]!)).toMatch(
    /^Other kernels alone \(batch 32, 2 of 3 kernels are others\): 1.50/,
  );
});

test('a gain whose interval holds 1 is called none', () => {
  const noisy = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45];
  const [found] = tuningSummaries([{ ...tuning, defaultSeconds: noisy, tunedSeconds: noisy }]);
  expect(explainTuning(found!)).toContain('no gain that the noise allows to tell');
});

test('a tuning that changed nothing says so, whatever its times were', () => {
  const [same] = tuning.choices;
  const [found] = tuningSummaries([{ ...tuning, choices: [same!] }]);
  expect(explainTuning(found!)).toBe(
    'Other kernels alone (batch 32, 0 of 1 kernels are others): nothing faster was found.',
  );
});
