import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { interconnects, ringAllReduceSeconds } from '../../../src/core/projection/allReduce.ts';
import {
  gradientSize,
  measuredSteps,
  projectScaling,
} from '../../../src/core/projection/scaling.ts';
import { trajectories } from '../../../src/core/roofline/trajectories.ts';
import { stepOf } from '../roofline/samples.ts';

const link = { id: 'own', label: 'own', latencySeconds: 1e-3, bytesPerSecond: 1e9 };

/** Passes chunks round a ring, one message at a time: another way to the formula. */
function simulatedRing(devices: number, bytes: number): { seconds: number; sums: number[][] } {
  const held = Array.from({ length: devices }, (_, device) =>
    Array.from({ length: devices }, (__, chunk) => 10 ** device * (chunk + 1)),
  );
  let seconds = 0;
  const round = (
    chunkOf: (device: number) => number,
    take: (own: number, from: number) => number,
  ): void => {
    if (devices === 1) return;
    const before = held.map((chunks) => [...chunks]);
    for (let device = 0; device < devices; device += 1) {
      const chunk = (chunkOf(device) + devices * devices) % devices;
      const to = (device + 1) % devices;
      held[to]![chunk] = take(before[to]![chunk]!, before[device]![chunk]!);
    }
    seconds += link.latencySeconds + bytes / devices / link.bytesPerSecond;
  };
  for (let step = 0; step < devices - 1; step += 1)
    round(
      (device) => device - step,
      (own, from) => own + from,
    );
  for (let step = 0; step < devices - 1; step += 1)
    round(
      (device) => device + 1 - step,
      (_, from) => from,
    );
  return { seconds, sums: held };
}

describe('ring all-reduce', () => {
  test.each([1, 2, 3, 4, 8])('%d devices: as long as passing the chunks round', (devices) => {
    const { seconds, sums } = simulatedRing(devices, 8e6);
    expect(ringAllReduceSeconds(devices, 8e6, link)).toBeCloseTo(seconds, 12);
    const expected = Array.from(
      { length: devices },
      (_, chunk) => (chunk + 1) * Number('1'.repeat(devices)),
    );
    for (const device of sums) expect(device).toEqual(expected);
  });

  test('no more than twice the bytes pass each link, however many devices', () => {
    const free = { ...link, latencySeconds: 0 };
    expect(ringAllReduceSeconds(1000, 1e9, free)).toBeLessThan(2);
    expect(ringAllReduceSeconds(1000, 1e9, free)).toBeGreaterThan(1.99);
  });

  test('what is no link or no number of devices is refused', () => {
    expect(() => ringAllReduceSeconds(0, 1, link)).toThrow(/devices: 0/);
    expect(() => ringAllReduceSeconds(1.5, 1, link)).toThrow(/devices: 1.5/);
    expect(() => ringAllReduceSeconds(2, 1, { ...link, bytesPerSecond: 0 })).toThrow(
      /rate above 0/,
    );
    for (const preset of interconnects)
      expect(ringAllReduceSeconds(4, 1e6, preset)).toBeGreaterThan(0);
  });
});

/** Seconds 0.01 + 0.01 a batch. */
const measured = [1, 2, 4, 8, 16, 32].map((batch) => {
  const seconds = 0.01 + 0.01 * batch;
  return { batch, seconds, ciLow: 0.98 * seconds, ciHigh: 1.03 * seconds };
});
const input = { measured, batch: 32, gradientBytes: 1e6, link } as const;

describe('projection', () => {
  test('strong: the images are split, the gradients averaged', () => {
    const [one, four] = projectScaling({ ...input, scaling: 'strong' }, [1, 4]);
    expect(one).toMatchObject({ kind: 'model', speedup: 1, efficiency: 1, allReduceSeconds: 0 });
    const allReduce = 6 * (1e-3 + 0.25e6 / 1e9);
    expect(four!.allReduceSeconds).toBeCloseTo(allReduce, 12);
    expect(four!.largestShare).toBe(8);
    expect(four!.seconds).toBeCloseTo(0.09 + allReduce, 12);
    expect(four!.ciLow).toBeCloseTo(0.98 * 0.09 + allReduce, 12);
    expect(four!.ciHigh).toBeCloseTo(1.03 * 0.09 + allReduce, 12);
    expect(four!.imagesPerSecond).toBeCloseTo(32 / four!.seconds, 9);
    expect(four!.speedup).toBeCloseTo(0.33 / four!.seconds, 12);
    expect(four!.efficiency).toBeCloseTo(four!.speedup / 4, 12);
  });

  test('weak: each device keeps its images', () => {
    const [, four] = projectScaling({ ...input, scaling: 'weak' }, [1, 4]);
    expect(four!.computeSeconds).toBe(0.33);
    expect(four!.imagesPerSecond).toBeCloseTo((4 * 32) / four!.seconds, 9);
    expect(four!.efficiency).toBeCloseTo(0.33 / four!.seconds, 12);
  });

  test('a share between two batches lies between their times, one outside is not guessed', () => {
    const [three] = projectScaling({ ...input, scaling: 'strong' }, [3]);
    expect(three!.largestShare).toBe(11);
    expect(three!.computeSeconds).toBeGreaterThan(0.09);
    expect(three!.computeSeconds).toBeLessThan(0.17);
    const few = measured.slice(3);
    expect(
      projectScaling({ ...input, measured: few, scaling: 'strong' }, [1, 2, 4, 8]).map(
        ({ devices }) => devices,
      ),
    ).toEqual([1, 2, 4]);
    expect(projectScaling({ ...input, batch: 64, scaling: 'weak' }, [1, 2])).toEqual([]);
    expect(projectScaling({ ...input, scaling: 'strong' }, [64])).toEqual([]);
  });

  test('never faster than so many devices without a link', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 32 }),
      fc.constantFrom('strong' as const, 'weak' as const),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (devices, scaling, latencySeconds) => {
        const own = { ...link, latencySeconds };
        for (const step of projectScaling({ ...input, scaling, link: own }, [devices])) {
          expect(step.efficiency).toBeLessThanOrEqual(1 + 1e-9);
          expect(step.seconds).toBeCloseTo(step.computeSeconds + step.allReduceSeconds, 12);
        }
      },
    );
    fc.assert(property);
  });

  test('from a measured trajectory and its plan', () => {
    const [trajectory] = trajectories(
      [stepOf({ value: 1, batch: 1 }), stepOf({ value: 2, batch: 2, status: 'failed' }), stepOf()],
      [],
    );
    expect(measuredSteps(trajectory!)).toEqual([
      { batch: 1, seconds: 0.1, ciLow: 0.1, ciHigh: 0.1 },
      { batch: 8, seconds: 0.1, ciLow: 0.1, ciHigh: 0.1 },
    ]);
    const others = trajectories([stepOf({ parameter: 'threads', threads: 8 })], []);
    expect(measuredSteps(others[0]!)).toEqual([]);
    const plan = trainingPlan('resnet8', 1, { height: 32, width: 32, channels: 1 });
    const elements = plan.parameters.reduce((sum, { length }) => sum + length, 0);
    expect(gradientSize(plan)).toBe(4 * elements);
    expect(gradientSize(plan)).toBeLessThan(4 * plan.parameterLength);
  });
});
