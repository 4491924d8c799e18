import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planCost } from '../../../src/core/nn/cost.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { leastTime } from '../../../src/core/roofline/bound.ts';
import { flags } from '../../../src/core/roofline/flags.ts';
import { trajectories } from '../../../src/core/roofline/trajectories.ts';
import { explainPoint } from '../../../src/core/roofline/explain.ts';
import { evenShares } from '../../../src/core/roofline/stepWork.ts';
import type { StepTiming } from '../../../src/core/run/events.ts';
import { modelsAlong, modelSize } from '../../../src/core/nn/modelSize.ts';
import type { Roofline } from '../../../src/core/roofline/types.ts';
import { ceiling, resnet8Cost, rooflineOf, softwareGpu } from './softwareGpu.ts';
import { sixOf, stepOf } from './samples.ts';

describe('points', () => {
  test('figures follow from the median of the warm steps and the plan', () => {
    const [trajectory] = trajectories(
      [stepOf({ seconds: [0.11, 0.09, 0.1, 0.1, 0.12, 0.1, 0.1], compileSeconds: 3 })],
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
      compileSeconds: 3,
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

  test('with as many images for each, replicas that keep their pace scale ideally: weakly', () => {
    const [batch, scaling, parameter] = [8, 'weak', 'replicas'] as const;
    const replicated = [1, 2].map((replicas) =>
      stepOf({ parameter, value: replicas, replicas, batch: batch * replicas, scaling }),
    );
    const [segment] = trajectories(replicated, [softwareGpu])[0]!.segments;
    expect(segment).toMatchObject({ kind: 'ideal', reading: 'ideal weak scaling', locality: 0 });
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
