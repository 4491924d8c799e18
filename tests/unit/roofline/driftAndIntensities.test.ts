import { describe, expect, test } from 'vitest';
import { flags } from '../../../src/core/roofline/flags.ts';
import { trajectories } from '../../../src/core/roofline/trajectories.ts';
import { driftOf } from '../../../src/core/roofline/drift.ts';
import type { StepTiming } from '../../../src/core/run/events.ts';
import { intensitiesOf, whyIntensityStays } from '../../../src/core/roofline/intensities.ts';
import type { TrajectoryPoint } from '../../../src/core/roofline/types.ts';
import { softwareGpu } from './softwareGpu.ts';
import { noisyTimes, stepOf } from './samples.ts';

/** A sweep that ends with the step that it began with. */
function sweep(last: number, noise = 0): StepTiming[] {
  return [
    stepOf({ value: 1, batch: 1, seconds: noisyTimes(0.01, noise, 8, 1) }),
    stepOf({ value: 4, batch: 4, seconds: noisyTimes(0.04, noise, 8, 2) }),
    stepOf({ value: 1, batch: 1, seconds: noisyTimes(last, noise, 8, 3) }),
  ];
}

/** Steps of three batches, each slower by its factor. */
function visit(factor: (batch: number) => number): StepTiming[] {
  return [1, 2, 4].map((value) =>
    stepOf({ value, batch: value, seconds: Array<number>(6).fill(0.01 * value * factor(value)) }),
  );
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

  test('one of several values that was disturbed at its first visit is no drift of the sweep', () => {
    const disturbed = visit((batch) => (batch === 2 ? 1.5 : 1));
    expect(driftOf([...disturbed, ...visit(() => 1)])).toMatchObject({ logTime: 0, isReal: false });
    const slower = driftOf([...disturbed, ...visit(() => 1.2)])!;
    expect(slower.logTime).toBeCloseTo(Math.log(1.2), 9);
    expect(slower.isReal).toBe(true);
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
