import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planCost, type OpCost } from '../../../src/core/nn/cost.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { attainable } from '../../../src/core/roofline/attainable.ts';
import { leastTime } from '../../../src/core/roofline/bound.ts';
import { flags } from '../../../src/core/roofline/flags.ts';
import { trajectories } from '../../../src/core/roofline/trajectories.ts';
import type { Ceiling, Roofline, TrajectoryPoint } from '../../../src/core/roofline/types.ts';
import type { StepTiming } from '../../../src/core/run/events.ts';
import { explainPoint } from '../../../src/core/roofline/explain.ts';
import { driftOf } from '../../../src/core/roofline/drift.ts';
import { intensitiesOf, whyIntensityStays } from '../../../src/core/roofline/intensities.ts';
import { evenShares } from '../../../src/core/roofline/stepWork.ts';
import { modelsAlong, modelSize } from '../../../src/core/nn/modelSize.ts';
import { noisyTimes, sixOf, stepOf } from './samples.ts';

function ceiling(id: string, value: number, change: Partial<Ceiling> = {}): Ceiling {
  return {
    id,
    label: id.slice(id.indexOf('.') + 1),
    value,
    unit: id.startsWith('compute') ? 'flop/s' : 'byte/s',
    ciLow: value,
    ciHigh: value,
    variant: 'plain',
    timer: 'timestamp',
    samples: 9,
    flags: [],
    ...change,
  };
}

function rooflineOf(flopsPerSecond: number, bandwidth: readonly Ceiling[]): Roofline {
  return {
    device: 'gpu',
    deviceId: 'gpu-0',
    compute: [ceiling('compute.f32', flopsPerSecond, { precision: 'f32' })],
    bandwidth,
    ridge: [],
  };
}

/** A software GPU's: 57 GFLOP/s and 4.2 GB/s, ridge 13.6 flop/byte. */
const softwareGpu = rooflineOf(57e9, [ceiling('bandwidth.memory', 4.2e9)]);

function resnet8Cost(batch: number) {
  return planCost(trainingPlan('resnet8', batch, { height: 32, width: 32, channels: 1 }));
}

function call(executedFlops: number, algorithmic: number): OpCost {
  return { flops: executedFlops, executedFlops, bytes: { algorithmic } };
}

describe('least time', () => {
  test('is the sum over calls of the larger of arithmetic and memory time', () => {
    const roofline = rooflineOf(100, [ceiling('bandwidth.memory', 10)]);
    // 400/100 = 4 s of arithmetic against 1 s; 20/10 = 2 s of memory against 1 s; 1 s of memory.
    const calls = [call(400, 10), call(100, 20), call(0, 10)];
    const least = leastTime(calls, roofline, 'f32')!;
    expect(least.seconds).toBeCloseTo(7, 12);
    expect(least.bound.compute).toBeCloseTo(4 / 7, 12);
    expect(least.bound.memory).toBeCloseTo(3 / 7, 12);
    expect(least.servedBy).toEqual([]);
  });

  test('a call that fits in half an inner level is served by it, the innermost that it fits', () => {
    const roofline = rooflineOf(1e9, [
      ceiling('bandwidth.L1', 1000, { capacityBytes: 100 }),
      ceiling('bandwidth.L2', 100, { capacityBytes: 1000 }),
      ceiling('bandwidth.memory', 10),
    ]);
    const secondsOf = (bytes: number) => leastTime([call(1, bytes)], roofline, 'f32')!.seconds;
    expect(secondsOf(49)).toBeCloseTo(0.049, 12);
    expect(secondsOf(50)).toBeCloseTo(0.5, 12);
    expect(secondsOf(499)).toBeCloseTo(4.99, 12);
    expect(secondsOf(500)).toBeCloseTo(50, 12);
    expect(leastTime([call(1, 499), call(1, 49)], roofline, 'f32')!.servedBy).toEqual(['L2', 'L1']);
  });

  test('takes no longer than the slower resource would for all, and no less than each alone', () => {
    const amount = fc.double({ min: 1, max: 1e9, noNaN: true });
    const roofline = rooflineOf(57e9, [ceiling('bandwidth.memory', 4.2e9)]);
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 20 }), (calls) => {
        const costs = calls.map(([flops, bytes]) => call(flops, bytes));
        const { seconds, bound } = leastTime(costs, roofline, 'f32')!;
        const arithmetic = costs.reduce((sum, { executedFlops }) => sum + executedFlops, 0) / 57e9;
        const traffic = costs.reduce((sum, { bytes }) => sum + bytes.algorithmic, 0) / 4.2e9;
        expect(seconds).toBeGreaterThanOrEqual(Math.max(arithmetic, traffic) * (1 - 1e-12));
        expect(seconds).toBeLessThanOrEqual((arithmetic + traffic) * (1 + 1e-12));
        expect(bound.compute + bound.memory).toBeCloseTo(1, 12);
      }),
    );
  });

  test('needs both kinds of ceiling', () => {
    expect(leastTime([call(1, 1)], rooflineOf(1, []), 'f32')).toBeUndefined();
    expect(leastTime([call(1, 1)], softwareGpu, 'f16')).toBeUndefined();
  });

  test('ResNet-8 at batch 32: the naive roof reads 1.6 times too high', () => {
    const cost = resnet8Cost(32);
    const least = leastTime(cost.ops, softwareGpu, 'f32')!;
    const intensity = cost.executedFlops / cost.bytes.algorithmic;
    const naiveSeconds = cost.executedFlops / attainable(softwareGpu, intensity)!;
    expect(intensity).toBeGreaterThan(12);
    expect(intensity).toBeLessThan(13.6);
    expect(least.seconds / naiveSeconds).toBeCloseTo(1.6, 1);
    expect(least.bound.memory).toBeGreaterThan(0.42);
    expect(least.bound.memory).toBeLessThan(0.48);
  });
});

describe('points', () => {
  test('figures follow from the median of the warm steps and the plan', () => {
    const [trajectory] = trajectories(
      [stepOf({ seconds: [0.11, 0.09, 0.1, 0.1, 0.12, 0.1, 0.1] })],
      [softwareGpu],
    );
    const [point] = trajectory!.points;
    const cost = resnet8Cost(8);
    expect(point).toMatchObject({
      value: 8,
      status: 'ok',
      seconds: 0.1,
      ciLow: 0.09,
      ciHigh: 0.12,
      coldSeconds: 1,
      flops: cost.flops,
      executedFlops: cost.executedFlops,
      bytes: cost.bytes,
      imagesPerSecond: 80,
    });
    expect(point!.flopsPerSecond).toBeCloseTo(cost.executedFlops / 0.1, 0);
    expect(point!.intensity).toBeCloseTo(cost.executedFlops / cost.bytes.algorithmic, 12);
    const least = leastTime(cost.ops, softwareGpu, 'f32')!;
    expect(point!.roofFraction).toBeCloseTo(least.seconds / 0.1, 12);
    expect(point!.bound).toEqual(least.bound);
  });

  test('a point above the roof is flagged and not clipped', () => {
    const seconds = leastTime(resnet8Cost(8).ops, softwareGpu, 'f32')!.seconds / 2;
    const [trajectory] = trajectories([stepOf({ seconds: [seconds] })], [softwareGpu]);
    const [point] = trajectory!.points;
    expect(point!.status).toBe('ok');
    expect(point!.flags).toContain(flags.aboveRoof);
    expect(point!.roofFraction).toBeCloseTo(2, 9);
    expect(point!.flopsPerSecond).toBeCloseTo(resnet8Cost(8).executedFlops / seconds, 0);
  });

  test('a point past the memory roof because a cache serves it says so', () => {
    const cached = rooflineOf(57e9, [
      ceiling('bandwidth.cache1', 100e9, { label: 'cache 1', capacityBytes: 2 ** 30 }),
      ceiling('bandwidth.memory', 1e9),
    ]);
    const cost = resnet8Cost(8);
    const seconds = leastTime(cost.ops, cached, 'f32')!.seconds * 1.5;
    const [trajectory] = trajectories([stepOf({ seconds: [seconds] })], [cached]);
    expect(trajectory!.points[0]!.flags).toContain('served by cache 1');
    expect(trajectory!.points[0]!.flags).not.toContain(flags.aboveRoof);
  });

  test('without a roofline of the device there is no fraction and no bound', () => {
    const other = { ...softwareGpu, deviceId: 'gpu-1' };
    const [trajectory] = trajectories([stepOf()], [other]);
    expect(trajectory!.points[0]).not.toHaveProperty('roofFraction');
    expect(trajectory!.points[0]).not.toHaveProperty('bound');
    expect(trajectory!.points[0]!.flopsPerSecond).toBeGreaterThan(0);
  });

  test('on the CPU the roof is that of most threads', () => {
    const cpu = { device: 'cpu', deviceId: 'cpu' } as const;
    const roof = (threads: number): Roofline => ({
      ...rooflineOf(57e9 * threads, [ceiling('bandwidth.memory', 4.2e9 * threads)]),
      ...cpu,
      threads,
    });
    const [trajectory] = trajectories([stepOf(cpu)], [roof(2), roof(4), roof(1)]);
    const least = leastTime(resnet8Cost(8).ops, roof(4), 'f32')!;
    expect(trajectory!.points[0]!.roofFraction).toBeCloseTo(least.seconds / 0.1, 12);
  });

  test('on the CPU the roof of as many threads is told beside it', () => {
    const cpu = { device: 'cpu', deviceId: 'cpu' } as const;
    const roof = (threads: number): Roofline => ({
      ...rooflineOf(57e9 * threads, [ceiling('bandwidth.memory', 4.2e9 * threads)]),
      ...cpu,
      threads,
    });
    const step = (value: number, change: Partial<StepTiming>) =>
      stepOf({ ...cpu, parameter: 'threads', value, ...change });
    const [trajectory] = trajectories(
      [step(1, { threads: 1 }), step(2, { threads: 2 }), step(3, { threads: 3 })],
      [roof(1), roof(2), roof(4)],
    );
    const [one, two, three] = trajectory!.points;
    expect(one!.threadsRoofFraction).toBeCloseTo(4 * one!.roofFraction!, 12);
    expect(two!.threadsRoofFraction).toBeCloseTo(2 * two!.roofFraction!, 12);
    expect(three).not.toHaveProperty('threadsRoofFraction');
    const whole = trajectories([step(4, { threads: 4 })], [roof(4)])[0]!.points[0]!;
    expect(whole.roofFraction).toBeGreaterThan(0);
    expect(whole).not.toHaveProperty('threadsRoofFraction');
    const replicas = { parameter: 'replicas', threads: 2, replicas: 1 } as const;
    const both = trajectories([step(1, replicas)], [roof(2), roof(4)])[0]!.points[0]!;
    expect(both.threadsRoofFraction).toBeCloseTo(2 * both.roofFraction!, 12);
    expect(explainPoint(both, trajectories([step(1, replicas)], [])[0]!)[1]).toMatch(
      /of its roof, \d+ % of that of as many threads\.$/,
    );
  });

  test('a failed or skipped step stays, with its reason and no rates', () => {
    const [trajectory] = trajectories(
      [
        stepOf({ value: 4, batch: 4 }),
        stepOf({ status: 'failed', reason: 'device lost', seconds: [0.1] }),
        stepOf({ value: 16, batch: 16, status: 'skipped', reason: 'out of budget', seconds: [] }),
        stepOf({ value: 32, batch: 32, seconds: [0] }),
      ],
      [softwareGpu],
    );
    expect(trajectory!.points.map(({ status, reason }) => [status, reason])).toEqual([
      ['ok', undefined],
      ['failed', 'device lost'],
      ['skipped', 'out of budget'],
      ['failed', 'no step was timed'],
    ]);
    for (const point of trajectory!.points.slice(1)) {
      expect(point).toMatchObject({ seconds: 0, flopsPerSecond: 0, imagesPerSecond: 0 });
      expect(point.flops).toBeGreaterThan(0);
      expect(point).not.toHaveProperty('roofFraction');
    }
    expect(trajectory!.segments).toEqual([]);
  });

  test('a model of another version is named, not guessed', () => {
    const [trajectory] = trajectories([stepOf({ model: 'resnet9000' })], [softwareGpu]);
    expect(trajectory!.points[0]).toMatchObject({ status: 'failed', flops: 0 });
    expect(trajectory!.points[0]!.reason).toContain('resnet9000');
  });
});

describe('trajectories', () => {
  const batches = [1, 2, 4, 8].map((batch) => stepOf({ value: batch, batch }));
  const workgroups = [1, 2, 4].map((value) =>
    stepOf({ parameter: 'workgroups', value, workgroups: value, seconds: sixOf(1 / value) }),
  );
  // The last point of a workgroup sweep is the default, which has no cap.
  const uncapped = stepOf({ parameter: 'workgroups', value: 64, seconds: sixOf(0.02) });

  test('one for each device, model, parameter and what is held fixed', () => {
    const steps: StepTiming[] = [
      ...batches,
      ...workgroups,
      uncapped,
      stepOf({ device: 'cpu', deviceId: 'cpu' }),
      stepOf({ parameter: 'workgroups', value: 2, workgroups: 2, batch: 16 }),
    ];
    const found = trajectories(steps, [softwareGpu]);
    expect(
      found.map(({ device, parameter, fixed, points }) => [
        device,
        parameter,
        fixed,
        points.map(({ value }) => value),
      ]),
    ).toEqual([
      ['gpu', 'batch', {}, [1, 2, 4, 8]],
      ['gpu', 'workgroups', { batch: 8 }, [1, 2, 4, 64]],
      ['cpu', 'batch', {}, [8]],
      ['gpu', 'workgroups', { batch: 16 }, [2]],
    ]);
  });

  test('points are in order of the parameter, whatever the order of measurement', () => {
    const [shuffled] = trajectories([batches[2]!, batches[0]!, batches[3]!, batches[1]!], []);
    const [ordered] = trajectories(batches, []);
    expect(shuffled).toEqual(ordered);
    expect(ordered!.segments.map(({ from, to }) => [from, to])).toEqual([
      [1, 2],
      [2, 4],
      [4, 8],
    ]);
  });

  test('steps of one value are pooled', () => {
    const again = stepOf({ seconds: [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2] });
    const [trajectory] = trajectories([stepOf(), again], []);
    expect(trajectory!.points).toHaveLength(1);
    expect(trajectory!.points[0]!.seconds).toBe(0.2);
  });

  test('segments pass over a failed point', () => {
    const steps = batches.map((step) =>
      step.value === 4 ? { ...step, status: 'failed' as const } : step,
    );
    const [trajectory] = trajectories(steps, []);
    expect(trajectory!.segments.map(({ from, to }) => [from, to])).toEqual([
      [1, 2],
      [2, 8],
    ]);
  });

  test('workgroups move no intensity; performance in proportion is ideal scaling', () => {
    const [trajectory] = trajectories(workgroups, [softwareGpu]);
    for (const segment of trajectory!.segments) {
      expect(segment.locality).toBe(0);
      expect(segment.efficiency).toBeCloseTo(1, 9);
      expect(segment.kind).toBe('ideal');
    }
    expect(trajectory!.saturation).toBeUndefined();
    expect(trajectory!.optimum).toEqual({ value: 4, tied: [] });
  });

  test('growing batch moves intensity right while weights are amortised', () => {
    const [trajectory] = trajectories(batches, [softwareGpu]);
    expect(trajectory!.segments.every(({ locality }) => locality > 0)).toBe(true);
  });
});

describe('trajectories over models', () => {
  const depths = (['resnet20', 'resnet8', 'resnet14'] as const).map((model) =>
    stepOf({ model, parameter: 'depth', value: Number(model.slice(6)) }),
  );

  test('depth joins the models of a family, width too', () => {
    const widths = (['resnet8x4', 'resnet8'] as const).map((model, index) =>
      stepOf({ model, parameter: 'width', value: [4, 1][index]! }),
    );
    const found = trajectories([...depths, ...widths], [softwareGpu]);
    expect(
      found.map(({ model, parameter, fixed, points }) => [
        model,
        parameter,
        fixed,
        points.map(({ value }) => value),
      ]),
    ).toEqual([
      ['resnet', 'depth', { batch: 8, width: 1 }, [8, 14, 20]],
      ['resnet', 'width', { batch: 8, depth: 8 }, [1, 4]],
    ]);
  });

  test('each point has the work of its own model', () => {
    const [trajectory] = trajectories(depths, [softwareGpu]);
    const cost = planCost(trainingPlan('resnet14', 8, { height: 32, width: 32, channels: 1 }));
    expect(trajectory!.points[1]).toMatchObject({ value: 14, executedFlops: cost.executedFlops });
  });

  test('families and neighbours', () => {
    expect(modelSize('resnet56x8')).toEqual({ family: 'resnet', depth: 56, width: 8 });
    expect(modelSize('plain14')).toEqual({ family: 'plain', depth: 14, width: 1 });
    for (const name of ['resnet18', 'inception', 'resnet9000'])
      expect(modelSize(name)).toBeUndefined();
    expect(modelsAlong('resnet14x2', 'depth')).toEqual([
      'resnet8x2',
      'resnet14x2',
      'resnet20x2',
      'resnet32x2',
      'resnet56x2',
    ]);
    expect(modelsAlong('resnet14', 'width')).toEqual([
      'resnet14',
      'resnet14x2',
      'resnet14x4',
      'resnet14x8',
    ]);
    expect(modelsAlong('inception', 'depth')).toEqual([]);
  });
});

describe('replicas', () => {
  test('each reads its own weights: the same products, more bytes', () => {
    const replicated = [1, 2, 3].map((replicas) =>
      stepOf({ parameter: 'replicas', value: replicas, replicas, scaling: 'strong' }),
    );
    const [trajectory] = trajectories(replicated, [softwareGpu]);
    expect(trajectory!.fixed).toEqual({ batch: 8, scaling: 'strong' });
    const [one, two, three] = trajectory!.points;
    expect(two!.bytes.algorithmic).toBe(2 * resnet8Cost(4).bytes.algorithmic);
    // 8 images over three: 2, 3, 3.
    expect(three!.executedFlops).toBe(
      resnet8Cost(2).executedFlops + 2 * resnet8Cost(3).executedFlops,
    );
    expect(one!.intensity).toBeGreaterThan(two!.intensity);
    expect(two!.imagesPerSecond).toBe(80);
  });

  test('shares are even, leave no image out and no replica without one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 40 }), (n, r) => {
        const shares = evenShares(n, r);
        expect(shares.reduce((a, b) => a + b, 0)).toBe(n);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
        expect(Math.min(...shares)).toBeGreaterThan(0);
      }),
    );
  });
});

/** A sweep that ends with the step that it began with. */
function sweep(last: number, noise = 0): StepTiming[] {
  return [
    stepOf({ value: 1, batch: 1, seconds: noisyTimes(0.01, noise, 8, 1) }),
    stepOf({ value: 4, batch: 4, seconds: noisyTimes(0.04, noise, 8, 2) }),
    stepOf({ value: 1, batch: 1, seconds: noisyTimes(last, noise, 8, 3) }),
  ];
}

describe('drift', () => {
  test('a step that takes longer when it is measured again flags the sweep', () => {
    const [trajectory] = trajectories(sweep(0.012), [softwareGpu]);
    expect(trajectory!.points.map((point) => point.flags.includes(flags.drifted))).toEqual([
      true,
      true,
    ]);
    expect(driftOf(sweep(0.012))!.logTime).toBeCloseTo(Math.log(1.2), 9);
  });

  test('within 3 % or the noise there is none', () => {
    for (const steps of [sweep(0.0102), sweep(0.01, 0.1)]) {
      const [trajectory] = trajectories(steps, [softwareGpu]);
      for (const point of trajectory!.points) expect(point.flags).not.toContain(flags.drifted);
    }
    expect(driftOf(sweep(0.01).slice(1))).toBeUndefined();
  });
});

describe('intensities', () => {
  const [point] = trajectories([stepOf()], [softwareGpu])[0]!.points as [TrajectoryPoint];

  test('memory moved at most what it could in the time', () => {
    const { algorithmic, atLeast, issued } = intensitiesOf(point, softwareGpu);
    expect(algorithmic).toBe(point.intensity);
    expect(atLeast).toBeCloseTo(point.executedFlops / (4.2e9 * 0.1), 9);
    expect(issued).toBeUndefined();
  });

  test('a step may tell its issued bytes without the times of its calls', () => {
    const [told] = trajectories([stepOf({ issuedBytes: 1e9 })], [softwareGpu])[0]!.points;
    expect(intensitiesOf(told!, softwareGpu).issued).toBeCloseTo(told!.executedFlops / 1e9, 12);
    // In 0.1 s at the fastest bandwidth that was measured.
    const fastest = Math.max(...softwareGpu.bandwidth.map(({ value }) => value));
    expect(told!.loadFraction).toBeCloseTo(1e10 / fastest, 12);
  });

  test('issued bytes have their own', () => {
    const bytes = { ...point.bytes, issued: 2 * point.bytes.algorithmic };
    expect(intensitiesOf({ ...point, bytes }, undefined)).toEqual({
      algorithmic: point.intensity,
      issued: point.intensity / 2,
    });
  });

  test('it is told where it cannot move, and that is so', () => {
    for (const parameter of ['workgroups', 'workgroupSize', 'threads'] as const) {
      expect(whyIntensityStays(parameter)).toMatch(/^Algorithmic intensity cannot move here/);
      const steps = [1, 2, 4].map((value) => stepOf({ parameter, value, [parameter]: value }));
      const [trajectory] = trajectories(steps, [softwareGpu]);
      for (const { locality } of trajectory!.segments) expect(locality).toBe(0);
    }
    expect(whyIntensityStays('batch')).toBeUndefined();
  });
});
