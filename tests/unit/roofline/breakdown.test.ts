import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { opCost } from '../../../src/core/nn/cost.ts';
import { opGroupOf, opGroups } from '../../../src/core/nn/opGroups.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import type { ModelName } from '../../../src/core/nn/zoo.ts';
import { leastTime } from '../../../src/core/roofline/bound.ts';
import { stepBreakdown } from '../../../src/core/roofline/breakdown.ts';
import { callWork } from '../../../src/core/roofline/callWork.ts';
import { flags } from '../../../src/core/roofline/flags.ts';
import { rooflines } from '../../../src/core/roofline/rooflines.ts';
import { trajectories } from '../../../src/core/roofline/trajectories.ts';
import type { CallTiming, StepTiming } from '../../../src/core/run/events.ts';
import { computeSample, sampleOf, sixOf, stepOf } from './samples.ts';

/** 57 GFLOP/s, 4 GB/s, 20 µs a dispatch. */
const [roofline] = rooflines([
  computeSample(57e9),
  ...[2 ** 24, 2 ** 25, 2 ** 26].map((workingSetSize) =>
    sampleOf({ kind: 'bandwidth', pattern: 'copy', bytes: 4e9, workingSetSize }),
  ),
  sampleOf(
    { kind: 'overhead', of: 'dispatch', count: 1000 },
    { seconds: sixOf(0.02), probe: 'overhead' },
  ),
]);

function planOf(model: ModelName, batch: number) {
  return trainingPlan(model, batch, { height: 32, width: 32, channels: 1 });
}

/** A step whose calls do one op each, in the seconds of a function of the op's index. */
function calledStep(
  secondsOf: (op: number) => number,
  change: Partial<StepTiming> = {},
  callChange: Partial<CallTiming> = {},
): StepTiming {
  const model = (change.model ?? 'resnet8') as ModelName;
  const calls = planOf(model, change.batch ?? 8).ops.map((_, op): CallTiming => {
    const seconds = sixOf(secondsOf(op));
    const call = { ops: [op], variant: 'tile 8x4', timer: 'timestamp', flags: [] } as const;
    return Object.assign({ seconds }, call, callChange);
  });
  return stepOf({ calls, ...change });
}

/** The first call does next to nothing, as a cleverer method would. */
function fast(step: StepTiming): StepTiming {
  const [first, ...others] = step.calls!;
  return { ...step, calls: [{ ...first!, executedFlops: 1 }, ...others] };
}

describe('the work of a call', () => {
  const plan = planOf('resnet8', 4);
  const indexOf = (kind: string, name: string) =>
    plan.ops.findIndex((op) => op.kind === kind && op.name === name);
  const conv = indexOf('conv2d.forward', 'stem.conv');
  const statistics = indexOf('batchNorm.statistics', 'stem.bn');

  test('of one op is that of the op', () => {
    expect(callWork(plan, { ops: [conv] })).toEqual(opCost(plan.ops[conv]!));
  });

  test('of a fused call leaves out what is not read again', () => {
    const [a, b] = [opCost(plan.ops[conv]!), opCost(plan.ops[statistics]!)];
    const fused = callWork(plan, { ops: [conv, statistics] });
    expect(fused.executedFlops).toBe(a.executedFlops + b.executedFlops);
    const activation = 4 * 4 * 32 * 32 * 16;
    expect(fused.bytes.algorithmic).toBe(a.bytes.algorithmic + b.bytes.algorithmic - activation);
  });

  test('takes the variant at its word for flops and issued bytes', () => {
    const work = callWork(plan, { ops: [conv], executedFlops: 7, issuedBytes: 9 });
    expect(work).toMatchObject({ executedFlops: 7, bytes: { issued: 9 } });
    expect(work.flops).toBe(opCost(plan.ops[conv]!).flops);
  });

  test('of an op that is not there is a bug', () => {
    expect(() => callWork(plan, { ops: [1000] })).toThrow(/no op 1000/);
  });
});

describe('the time-based view', () => {
  test('closes to the whole step, whatever the times', () => {
    const time = fc.double({ min: 1e-6, max: 1, noNaN: true });
    const property = fc.property(time, fc.infiniteStream(time), (whole, times) => {
      const step = calledStep(() => times.next().value as number, { seconds: sixOf(whole) });
      const view = stepBreakdown([step], roofline)!;
      const groups = view.groups.reduce((sum, { seconds }) => sum + seconds, 0);
      expect(view.calls).toHaveLength(step.calls!.length);
      expect(groups + view.remainderSeconds).toBeCloseTo(whole, 9);
      expect(view.callSeconds + view.remainderSeconds).toBeCloseTo(whole, 9);
      const shares = view.groups.reduce((sum, { share }) => sum + share, 0);
      expect(shares * whole + view.remainderSeconds).toBeCloseTo(whole, 9);
      for (const call of view.calls)
        expect(call.bound!.seconds + call.lostSeconds).toBeCloseTo(call.seconds, 12);
    });
    fc.assert(property, { numRuns: 20 });
  });

  test('sorts by time lost and bounds each call as the whole step is bounded', () => {
    const step = calledStep((op) => 1e-3 + 1e-5 * ((op * 7) % 11));
    const view = stepBreakdown([step], roofline)!;
    const lost = view.calls.map(({ lostSeconds }) => lostSeconds);
    expect(lost).toEqual(lost.toSorted((a, b) => b - a));
    const costs = planOf('resnet8', 8).ops.map(opCost);
    expect(view.boundSeconds).toBeCloseTo(leastTime(costs, roofline!, 'f32')!.seconds, 12);
  });

  test('calls without flops have their place, and launches their share of what is lost', () => {
    const step = calledStep(() => 1e-4, { model: 'inception' });
    const view = stepBreakdown([step], roofline)!;
    const concat = view.calls.find(({ label }) => label.startsWith('concat.forward of mixed1'))!;
    expect(concat.work.executedFlops).toBe(0);
    expect(concat.bound!.by).toBe('memory');
    expect(concat.bound!.seconds).toBeCloseTo(concat.work.bytes.algorithmic / 4e9, 12);
    for (const { launchSeconds, lostSeconds } of view.calls) {
      if (lostSeconds >= 2e-5) expect(launchSeconds).toBeCloseTo(2e-5, 9);
      else expect(launchSeconds).toBeCloseTo(Math.max(0, lostSeconds), 12);
    }
  });

  test('a call above its roof is kept, with time lost below 0', () => {
    const view = stepBreakdown([calledStep(() => 1e-9)], roofline)!;
    expect(
      view.calls.every(({ lostSeconds, launchSeconds }) => lostSeconds < 0 && launchSeconds === 0),
    ).toBe(true);
  });

  test('without ceilings all time is lost, without calls there is no view', () => {
    const view = stepBreakdown([calledStep(() => 1e-3)], undefined)!;
    expect(view.boundSeconds).toBe(0);
    expect(view.calls[0]!.lostSeconds).toBe(1e-3);
    expect(view.calls[0]).not.toHaveProperty('bound');
    expect(stepBreakdown([stepOf()], roofline)).toBeUndefined();
    const { calls = [] } = calledStep(() => 1e-3);
    expect(stepBreakdown([stepOf({ calls: calls.slice(1) })], roofline)).toBeUndefined();
    const strange = { ...calls[0]!, ops: [calls.length] };
    expect(stepBreakdown([stepOf({ calls: [...calls, strange] })], roofline)).toBeUndefined();
  });

  test('calls that share an op are one: their times add up, their work counts once', () => {
    const step = calledStep(() => 1e-3);
    const [first, second, ...others] = step.calls!;
    const sums = { ...first!, variant: 'sum of slices', seconds: sixOf(5e-4), issuedBytes: 8 };
    const view = stepBreakdown([{ ...step, calls: [first!, second!, sums, ...others] }], roofline)!;
    expect(view.calls).toHaveLength(step.calls!.length);
    const joined = view.calls.find(({ ops }) => ops[0] === 0)!;
    expect(joined).toMatchObject({ ops: [0], variant: 'tile 8x4 + sum of slices' });
    expect(joined.seconds).toBeCloseTo(1.5e-3, 12);
    // The first does not tell its bytes, so the sum is unknown.
    expect(joined.work).toEqual(opCost(planOf('resnet8', 8).ops[0]!));
    const bridge = { ...first!, ops: [0, 1] };
    const bridged = stepBreakdown([{ ...step, calls: [...step.calls!, bridge] }], roofline)!;
    expect(bridged.calls).toHaveLength(step.calls!.length - 1);
    expect(bridged.callSeconds).toBeCloseTo(1e-3 * (step.calls!.length + 1), 12);
  });

  test('times of steps of one configuration are pooled', () => {
    const steps = [calledStep(() => 1e-3), calledStep(() => 3e-3), calledStep(() => 2e-3)];
    const view = stepBreakdown(steps, roofline)!;
    expect(view.calls[0]!.seconds).toBeCloseTo(2e-3, 12);
    expect(view.calls[0]!.samples).toBe(18);
  });
});

describe('a trajectory a kind of op', () => {
  const steps = [1, 2, 4].map((batch) =>
    calledStep((op) => 1e-4 * (1 + (op % 3)) * Math.sqrt(batch), {
      value: batch,
      batch,
      seconds: sixOf(0.02 * Math.sqrt(batch)),
    }),
  );
  const all = trajectories(steps, [roofline!]);

  test('stands beside that of the whole step', () => {
    const { ops } = planOf('resnet8', 1);
    const kinds = opGroups.filter((group) => ops.some(({ kind }) => opGroupOf(kind) === group));
    expect(all.map(({ scope }) => scope)).toEqual(['step', ...kinds]);
    for (const { points, segments } of all) {
      expect(points.map(({ value }) => value)).toEqual([1, 2, 4]);
      expect(segments).toHaveLength(2);
    }
  });

  test('shares of time add up, and so do work and time', () => {
    const [step, ...kinds] = all;
    for (const index of [0, 1, 2]) {
      const points = kinds.map(({ points: own }) => own[index]!);
      const sum = (of: (point: (typeof points)[number]) => number) =>
        points.reduce((total, point) => total + of(point), 0);
      expect(sum(({ timeShare = NaN }) => timeShare)).toBeCloseTo(1, 12);
      expect(sum(({ executedFlops }) => executedFlops)).toBe(step!.points[index]!.executedFlops);
      const called = steps[index]!.calls!.reduce((total, { seconds }) => total + seconds[0]!, 0);
      expect(sum(({ seconds }) => seconds)).toBeCloseTo(called, 12);
    }
  });

  test('a call that is too fast is flagged, not clipped', () => {
    const [, convolution] = trajectories([calledStep(() => 1e-6)], [roofline!]);
    expect(convolution!.scope).toBe('conv2d.forward');
    expect(convolution!.points[0]!.flags).toContain(flags.aboveRoof);
    expect(convolution!.points[0]!.roofFraction).toBeGreaterThan(1);
  });

  test('without calls there are none, and steps without them leave a gap', () => {
    expect(trajectories([stepOf()], [roofline!])).toHaveLength(1);
    const [step, convolution] = trajectories(
      [steps[0]!, stepOf({ value: 2, batch: 2 }), steps[2]!],
      [roofline!],
    );
    expect(step!.points).toHaveLength(3);
    expect(convolution!.points.map(({ value }) => value)).toEqual([1, 4]);
  });

  test('flops that variants save are told of all points or of none', () => {
    const plain = all[0]!.points[0]!;
    const [saved] = trajectories(steps.map(fast), [roofline!]);
    expect(saved!.points[0]!.executedFlops).toBeLessThan(plain.executedFlops);
    expect(saved!.points[0]!.bytes.algorithmic).toBe(plain.bytes.algorithmic);
    const [mixed] = trajectories([fast(steps[0]!), stepOf({ value: 2, batch: 2 })], [roofline!]);
    expect(mixed!.points[0]!.executedFlops).toBe(plain.executedFlops);
  });

  test('issued bytes are summed where every call has them', () => {
    const issued = calledStep(() => 1e-3, {}, { issuedBytes: 10 });
    const [step] = trajectories([issued], [roofline!]);
    expect(step!.points[0]!.bytes.issued).toBe(10 * issued.calls!.length);
    const gap = {
      ...issued,
      calls: [...issued.calls!.slice(1), calledStep(() => 1e-3).calls![0]!],
    };
    expect(trajectories([gap], [roofline!])[0]!.points[0]!.bytes.issued).toBeUndefined();
  });
});
