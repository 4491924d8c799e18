import { expect, test } from 'vitest';
import { deviceRatios, explainDevices } from '../../../src/core/roofline/deviceRatio.ts';
import { explainProcesses, processPoints } from '../../../src/core/roofline/processes.ts';
import { trajectories } from '../../../src/core/roofline/trajectories.ts';
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

/** Six equal times but for one: an interval of 10 % to one side. */
function times(seconds: number): number[] {
  return [1, 1, 1, 1, 1.1, 1].map((factor) => factor * seconds);
}

function single(batch: number, threads: number, seconds: number): StepTiming {
  return {
    ...base,
    parameter: 'threads',
    value: threads,
    batch,
    threads,
    seconds: times(seconds),
    barrierSeconds: times(seconds / 4),
  };
}

function multi(batch: number, replicas: number, seconds: number, threads = 1): StepTiming {
  return {
    ...base,
    parameter: 'replicas',
    value: replicas,
    scaling: 'strong',
    batch,
    threads,
    replicas,
    seconds: times(seconds),
    allReduceSeconds: times(seconds / 10),
  };
}

function pointsOf(steps: readonly StepTiming[]) {
  return processPoints(trajectories(steps, []));
}

function reading(...steps: readonly StepTiming[]) {
  return explainProcesses(pointsOf(steps), 'resnet8');
}

test('where two sweeps meet at a configuration the time of the narrower interval counts', () => {
  const unsure: StepTiming = { ...single(32, 1, 9), seconds: [5, 9, 12, 14, 6] };
  const sure = multi(32, 1, 4);
  for (const steps of [
    [unsure, sure],
    [sure, unsure],
  ])
    expect(pointsOf([...steps, single(32, 2, 2)])[0]).toMatchObject({
      replicas: 1,
      threads: 1,
      point: { seconds: 4 },
    });
});

test('every configuration once, against one thread and against one process of as many threads', () => {
  const points = pointsOf([
    single(32, 1, 4),
    single(32, 2, 2),
    single(8, 4, 1),
    multi(32, 2, 1),
    multi(32, 2, 0.5),
    multi(32, 2, 1, 2),
    { ...multi(32, 2, 0.1), model: 'resnet20' },
    { ...multi(16, 2, 0.1), status: 'failed' },
  ]);
  const told = points.map(({ model, batch, replicas, threads, speedUp, againstOne }) => [
    model,
    `${batch}: ${replicas} x ${threads}`,
    speedUp,
    againstOne?.ratio,
  ]);
  expect(told).toEqual([
    ['resnet8', '32: 1 x 1', 1, undefined],
    ['resnet8', '32: 1 x 2', 2, undefined],
    // Two steps of one value are one point: the median of their times.
    ['resnet8', '32: 2 x 1', expect.closeTo(5.16), expect.closeTo(2.58)],
    ['resnet20', '32: 2 x 1', undefined, undefined],
    ['resnet8', '8: 1 x 4', undefined, undefined],
    ['resnet8', '32: 2 x 2', 4, undefined],
  ]);
  expect(points[1]!.point.barrierShare).toBeCloseTo(0.25);
  expect(points[2]!.point.allReduceShare).toBeCloseTo(0.1);
});

test('the paragraph says at which batch the faster one changes', () => {
  const text = reading(single(8, 2, 1), single(32, 2, 2), multi(8, 2, 1.5), multi(32, 2, 1));
  expect(text).toMatch(/^resnet8 on 2 cores: at batch 8 2 replicas train 0\.667 times/);
  expect(text).toMatch(/One process is faster at batch 8; from batch 32 on replicas are faster\./);
  expect(text).toMatch(/spend 25 % of a step at barriers, the replicas 10 % on averaging/);
});

test('of several ways to split the same cores the fastest is held against one process', () => {
  const steps = [single(32, 4, 1), multi(32, 4, 1.5), multi(32, 2, 0.5, 2)];
  expect(reading(...steps)).toMatch(/2 replicas of 2 threads train 2\.00 times/);
});

test('a difference within the noise is none, one past it is one', () => {
  expect(reading(single(32, 2, 1), multi(32, 2, 1.02))).toMatch(
    /at batch 32 no change \(.*within the noise\)\. Neither is faster at this batch/,
  );
  expect(reading(single(32, 2, 1), multi(32, 2, 1.2))).toMatch(/One process is faster/);
  // A single time has no interval.
  const once = { ...multi(32, 2, 1.2), seconds: [1.2], allReduceSeconds: [0.1] };
  expect(reading(single(32, 2, 1), once)).toMatch(/no change/);
});

test('nothing is said where only one way was timed', () => {
  expect(reading(single(32, 1, 1), multi(32, 2, 1))).toBeUndefined();
  const batches = [{ ...single(32, 2, 1), parameter: 'batch' as const, value: 32 }];
  expect(pointsOf(batches)).toEqual([]);
});

function batchStep(device: 'gpu' | 'cpu', batch: number, seconds: number): StepTiming {
  const own = device === 'cpu' ? { threads: 2 } : {};
  const at = { parameter: 'batch', value: batch, batch, seconds: times(seconds) } as const;
  return { ...base, device, deviceId: device, ...at, ...own };
}

function devicesOf(...steps: readonly StepTiming[]): string[] {
  return deviceRatios(trajectories(steps, [])).map(explainDevices);
}

test('the GPU against the CPU at the largest common batch, and each at its best', () => {
  const text = devicesOf(
    batchStep('gpu', 8, 1),
    batchStep('gpu', 32, 2),
    batchStep('gpu', 64, 2),
    batchStep('cpu', 8, 0.5),
    batchStep('cpu', 32, 4),
  );
  expect(text).toEqual([
    'resnet8 at batch 32: the GPU trains 2.00 times the images a second of the CPU on 2 threads ' +
      '(16 images/s against 8). Each at its best batch (GPU 64, CPU 8): 2.00 times.',
  ]);
});

test('devices that are alike within the noise, and one device alone', () => {
  expect(devicesOf(batchStep('gpu', 32, 1), batchStep('cpu', 32, 1.02))[0]).toMatch(
    /no change, within the noise/,
  );
  expect(devicesOf(batchStep('gpu', 32, 1), { ...batchStep('cpu', 32, 1), model: 'x' })).toEqual(
    [],
  );
  expect(devicesOf(batchStep('gpu', 32, 1), batchStep('cpu', 8, 1))).toEqual([]);
});
