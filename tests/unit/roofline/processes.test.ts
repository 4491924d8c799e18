import { expect, test } from 'vitest';
import { explainProcesses, processPairs } from '../../../src/core/roofline/processes.ts';
import type { StepTiming } from '../../../src/core/run/events.ts';

const base = {
  device: 'cpu',
  deviceId: 'cpu',
  model: 'resnet8',
  inputChannels: 1,
  precision: 'f32',
  coldSeconds: 1,
  timer: 'clock',
  status: 'ok',
  losses: [2],
} as const;

function single(batch: number, threads: number, seconds: number): StepTiming {
  return {
    ...base,
    parameter: 'threads',
    value: threads,
    batch,
    threads,
    seconds: [seconds, seconds, 9],
    barrierSeconds: [seconds / 4, seconds / 4, 1],
  };
}

function multi(batch: number, replicas: number, seconds: number): StepTiming {
  return {
    ...base,
    parameter: 'replicas',
    value: replicas,
    scaling: 'strong',
    batch,
    threads: 1,
    replicas,
    seconds: [seconds],
    allReduceSeconds: [seconds / 10],
  };
}

test('pairs are of equal model, batch and cores; ratios are of medians', () => {
  const pairs = processPairs([
    single(32, 1, 4),
    single(32, 2, 2),
    single(8, 4, 1),
    multi(32, 2, 1),
    multi(32, 4, 1),
    { ...multi(32, 2, 0.1), model: 'resnet20' },
    { ...multi(32, 2, 0.1), status: 'failed' },
  ]);
  expect(pairs).toEqual([
    {
      model: 'resnet8',
      batch: 32,
      cores: 2,
      singleSeconds: 2,
      multiSeconds: 1,
      replicas: 2,
      threadsPerReplica: 1,
      barrierShare: 0.25,
      allReduceShare: 0.1,
      ratio: 2,
    },
  ]);
});

test('the paragraph says at which batch the faster one changes', () => {
  const steps = [single(8, 2, 1), single(32, 2, 2), multi(8, 2, 1.5), multi(32, 2, 1)];
  const text = explainProcesses(processPairs(steps), 'resnet8');
  expect(text).toMatch(/On 2 cores at batch 8 2 replicas train 0\.667 times/);
  expect(text).toMatch(/changes with the batch: 8: One process is faster; 32: The replicas/);
});

test('one winner, none, and nothing to compare', () => {
  const alike = processPairs([single(32, 2, 1), multi(32, 2, 1.01)]);
  expect(explainProcesses(alike, 'resnet8')).toMatch(/Neither is faster by more than 5 % at every/);
  expect(explainProcesses(alike, 'resnet20')).toBeUndefined();
  expect(processPairs([single(32, 1, 1), multi(32, 2, 1)])).toEqual([]);
});
