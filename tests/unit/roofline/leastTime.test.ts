import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attainable } from '../../../src/core/roofline/attainable.ts';
import { leastTime } from '../../../src/core/roofline/bound.ts';
import { call, ceiling, resnet8Cost, rooflineOf, softwareGpu } from './softwareGpu.ts';

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
