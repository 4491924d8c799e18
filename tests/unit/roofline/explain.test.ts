import { describe, expect, test } from 'vitest';
import {
  explainCeiling,
  explainPoint,
  explainTrajectory,
} from '../../../src/core/roofline/explain.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { stepBreakdown } from '../../../src/core/roofline/breakdown.ts';
import { explainBreakdown } from '../../../src/core/roofline/explainBreakdown.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import type { CallTiming } from '../../../src/core/run/events.ts';
import { explainSegment } from '../../../src/core/roofline/explainSegment.ts';
import { flags } from '../../../src/core/roofline/flags.ts';
import { rooflines } from '../../../src/core/roofline/rooflines.ts';
import { trajectories } from '../../../src/core/roofline/trajectories.ts';
import type { Roofline, Trajectory, TrajectoryPoint } from '../../../src/core/roofline/types.ts';
import {
  formatDuration,
  formatIntensity,
  formatRate,
  formatShare,
} from '../../../src/core/units.ts';
import { computeSample, noisyTimes, sampleOf, sixOf, stepOf, sweepSamples } from './samples.ts';

const mebi = 2 ** 20;
const memory = {
  bandwidths: [40e9, 4.2e9],
  capacities: [mebi / 4],
  transitionOctaves: 0.5,
  overheadSize: 0,
};
const sweep = { smallest: 2 ** 14, largest: 128 * mebi, ratio: Math.SQRT2 };

function device(change = {}, others: readonly Sample[] = []): Roofline {
  return rooflines([
    computeSample(57e9, change),
    ...sweepSamples(memory, sweep, { noise: 0.005 }),
    ...others,
  ])[0]!;
}

/** Workgroup sweep at batch 8 whose step takes these seconds, with this noise. */
function workgroupSweep(
  seconds: Readonly<Record<number, number>>,
  noise = 0,
  seed = 1,
): Trajectory {
  const steps = Object.entries(seconds).map(([value, time], index) =>
    stepOf({
      parameter: 'workgroups',
      value: Number(value),
      seconds: noisyTimes(time, noise, 10, seed * 100 + index),
    }),
  );
  return trajectories(steps, [device()])[0]!;
}

/** Least time of the ResNet-8 step at batch 8 on the device. */
function leastSeconds(): number {
  const [point] = workgroupSweep({ 1: 1 }).points;
  return point!.roofFraction! * point!.seconds;
}

describe('ceilings', () => {
  test('compute: the rate, the interval, the ridge', () => {
    const roofline = device({ seconds: [1, 0.99, 1.01, 1, 1, 1], variant: 'quadratic, 8 chains' });
    const [what, surely, ridge, ...rest] = explainCeiling(roofline.compute[0]!, roofline);
    expect(what).toBe('f32 multiply-add reaches 57.0 GFLOP/s at most, with "quadratic, 8 chains".');
    expect(surely).toBe(
      'By 6 times the true median lies from 56.4 GFLOP/s to 57.6 GFLOP/s with 95 % confidence.',
    );
    expect(ridge).toMatch(/^Below 13\.\d flop\/byte memory is the lower roof, above it this is\.$/);
    expect(rest).toEqual([]);
  });

  test("a CPU's arithmetic is told as observed, and its memory is not", () => {
    const cpu = { device: 'cpu', deviceId: 'cpu', threads: 2 } as const;
    const samples = sweepSamples(memory, sweep, { noise: 0.005, change: cpu });
    const roofline = rooflines([computeSample(57e9, cpu), ...samples])[0]!;
    const observed = /observed of WebAssembly.*the hardware may do more/;
    expect(explainCeiling(roofline.compute[0]!, roofline).join(' ')).toMatch(observed);
    expect(explainCeiling(roofline.bandwidth[0]!, roofline).join(' ')).not.toMatch(observed);
  });

  test('memory levels by their capacity', () => {
    const roofline = device();
    const [cache, last] = roofline.bandwidth.map(
      (ceiling) => explainCeiling(ceiling, roofline)[0]!,
    );
    expect(cache).toMatch(
      /^Data of up to about 2\d\d KiB \(cache 1\) moves at (39|40)\.\d GB\/s at most/,
    );
    expect(last).toMatch(/^Data too large for the caches moves at 4\.\d\d GB\/s at most/);
    const within = roofline.bandwidth.map((ceiling) =>
      explainCeiling(ceiling, roofline).filter((sentence) => sentence.startsWith('Its capacity')),
    );
    expect(within).toEqual([[expect.stringMatching(/lies within \d{3} KiB to \d{3} KiB\.$/)], []]);
  });

  test('too few times: no confidence is claimed', () => {
    const roofline = device({ seconds: [1, 1.01] });
    const text = explainCeiling(roofline.compute[0]!, roofline).join(' ');
    expect(text).toContain('2 times were measured, too few for a 95 % interval');
    expect(text).not.toContain('confidence');
  });

  test('flags are explained', () => {
    const roofline = device({ seconds: [1, 0.9, 1.1, 1, 1, 1] });
    expect(explainCeiling(roofline.compute[0]!, roofline).join(' ')).toMatch(
      /The interval reaches 11 % from the value, for the times scatter; measure again/,
    );
    const limited = { ...roofline.bandwidth[1]!, flags: [flags.possiblyCacheResident] };
    expect(explainCeiling(limited, roofline).join(' ')).toMatch(/a cache may hold all of it/);
    const falling = { ...roofline.bandwidth[1]!, flags: [flags.stillFalling] };
    expect(explainCeiling(falling, roofline).join(' ')).toMatch(/still fell where the sweep ended/);
  });
});

function sentences(point: TrajectoryPoint, trajectory: Trajectory): string {
  return explainPoint(point, trajectory).join(' ');
}

describe('points', () => {
  test('the figures are those of the point', () => {
    const trajectory = workgroupSweep({ 1: 0.4, 4: 0.1 });
    const point = trajectory.points[1]!;
    const text = sentences(point, trajectory);
    expect(text).toContain('With 4 workgroups at batch 8 a step takes 100 ms: 80.0 images/s');
    expect(text).toContain(formatRate(point.flopsPerSecond, 'flop/s'));
    expect(text).toContain(formatIntensity(point.intensity));
    expect(text).toContain(`reaches ${formatShare(point.roofFraction!)} of its roof`);
    expect(text).toContain(`${formatShare(point.bound!.memory)} of that is memory's`);
    const rest = formatDuration(point.seconds * (1 - point.roofFraction!));
    expect(text).toContain(`The other ${rest} go to neither`);
  });

  test('at the roof, no faster kernel is promised', () => {
    const trajectory = workgroupSweep({ 1: leastSeconds() / 0.9 });
    const text = sentences(trajectory.points[0]!, trajectory);
    expect(text).toContain('It is at its roof: only fewer operations');
    expect(text).not.toContain('faster kernels');
  });

  test('above the roof, a wrong number is owned up to', () => {
    const trajectory = workgroupSweep({ 1: leastSeconds() / 1.2 });
    const text = sentences(trajectory.points[0]!, trajectory);
    expect(text).toContain('reaches 120 % of its roof');
    expect(text).toContain('a ceiling or this time is wrong');
  });

  test('without ceilings nothing is said of a roof', () => {
    const [trajectory] = trajectories([stepOf()], []);
    const text = sentences(trajectory!.points[0]!, trajectory!);
    expect(text).not.toMatch(/roof|ceiling|memory|NaN|–/);
  });

  test('the calls of one kind say what they are and their share', () => {
    const plan = trainingPlan('resnet8', 8, { height: 32, width: 32, channels: 1 });
    const calls = plan.ops.map((_, op): CallTiming => {
      return { ops: [op], variant: 'plain', seconds: sixOf(1e-3), timer: 'timestamp', flags: [] };
    });
    const [, convolution] = trajectories([stepOf({ calls })], [device()]);
    const text = sentences(convolution!.points[0]!, convolution!);
    expect(text).toMatch(
      /^At batch 8 convolution forward takes 9.00 ms, 12 % of the calls' time, /,
    );
    expect(text).not.toMatch(/a step takes|images/);
  });

  test('a sweep during which the device changed is owned up to', () => {
    const steps = [0.1, 0.12].map((time) => stepOf({ seconds: sixOf(time) }));
    const [trajectory] = trajectories([...steps, stepOf({ value: 16, batch: 16 })], [device()]);
    expect(sentences(trajectory!.points[0]!, trajectory!)).toContain('heat or clocks changed');
  });

  test('each parameter in its own words', () => {
    const said = (
      [
        ['threads', { threads: 2 }, /^With 2 threads at batch 8 a step takes/],
        ['replicas', { replicas: 2 }, /^With 2 replicas at batch 8 a step takes/],
        ['workgroupSize', { workgroupSize: 64 }, /^With 64 lanes a workgroup at batch 8 a step/],
        ['depth', { model: 'resnet14' }, /^At depth 14, batch 8, width 1 a step takes/],
        ['width', { model: 'resnet8x2' }, /^At width 2, batch 8, depth 8 a step takes/],
      ] as const
    ).map(([parameter, change, expected]) => {
      const value = Number(/\d+$/.exec(String(Object.values(change)[0]))![0]);
      const [trajectory] = trajectories([stepOf({ parameter, value, ...change })], []);
      return [sentences(trajectory!.points[0]!, trajectory!), expected] as const;
    });
    for (const [text, expected] of said) expect(text).toMatch(expected);
  });

  test('no result, no figures', () => {
    const [trajectory] = trajectories([stepOf({ status: 'failed', reason: 'device lost' })], []);
    expect(explainPoint(trajectory!.points[0]!, trajectory!)).toEqual([
      'At batch 8 there is no result: device lost.',
    ]);
  });
});

describe('segments', () => {
  const least = leastSeconds();
  /** Times of two steps for each kind of motion that a workgroup sweep can show. */
  const cases = [
    ['ideal', [least * 8, least * 4], /Scaling efficiency is 100 %: speed grows in proportion/],
    ['lost-parallelism', [least * 8, least * 5.7], /Scaling efficiency is 49 %: part of the added/],
    ['compute-bound', [least * 1.1, least * 1.1], /at 91 % of a roof that is mostly arithmetic's/],
    ['latency', [least * 3, least * 3], /at 33 % of its roof and no clear gain shows: latency/],
    ['regression', [least * 3, least * 4], /slower than at workgroups 1/],
  ] as const;

  test.each(cases)('%s', (kind, [before, after], expected) => {
    const trajectory = workgroupSweep({ 1: before, 2: after });
    const [segment] = trajectory.segments;
    const [change, parts, meaning] = explainSegment(segment!, trajectory);
    expect(segment!.kind).toBe(kind);
    expect(meaning).toMatch(expected);
    expect(parts).toMatch(/^Intensity does not move; bytes per second by [+-]?\d/);
    const moved = Math.round((before / after - 1) * 100);
    expect(change).toContain(
      moved === 0
        ? 'flop/s change by no more than the noise'
        : `flop/s ${moved > 0 ? 'rise' : 'fall'} by ${Math.abs(moved)} %`,
    );
  });

  test.each(cases)(
    '%s under 3 percent noise in 95 of 100 seeds',
    (kind, [before, after], expected) => {
      const meaning = new RegExp(expected.source.replace(/\d+ %/, '\\d+ %'));
      let right = 0;
      for (let seed = 1; seed <= 100; seed++) {
        const trajectory = workgroupSweep({ 1: before, 2: after }, 0.03, seed);
        const [segment] = trajectory.segments;
        const said = explainSegment(segment!, trajectory)[2]!;
        if (segment!.kind === kind && meaning.test(said)) right += 1;
      }
      expect(right).toBeGreaterThanOrEqual(95);
    },
  );

  test('loads that are the limit are named with their share', () => {
    const plan = trainingPlan('resnet8', 8, { height: 32, width: 32, channels: 1 });
    const steps = [1, 2].map((value) =>
      stepOf({
        parameter: 'workgroups',
        value,
        seconds: sixOf(least * 3),
        calls: plan.ops.map((_, op): CallTiming => ({
          ops: [op],
          variant: 'plain',
          seconds: sixOf((least * 3) / plan.ops.length),
          timer: 'timestamp',
          issuedBytes: (0.9 * 40e9 * least * 3) / plan.ops.length,
          flags: [],
        })),
      }),
    );
    const [trajectory] = trajectories(steps, [device()]);
    const [segment] = trajectory!.segments;
    expect(segment).toMatchObject({ kind: 'load-limited' });
    expect(segment!.reading).toBe('no change: limited by loads and stores, saturated');
    expect(explainSegment(segment!, trajectory!)[2]).toMatch(
      /^It is at 33 % of its roof, but its code's own loads and stores take (89|90|91) % of the/,
    );
  });

  test('growing batch: intensity and its part of the gain are told', () => {
    const steps = [1, 2].map((batch) => stepOf({ value: batch, batch, seconds: sixOf(0.05) }));
    const trajectory = trajectories(steps, [device()])[0]!;
    const [segment] = trajectory.segments;
    const [change, parts] = explainSegment(segment!, trajectory);
    expect(change).toContain('From batch 1 to 2 flop/s rise by');
    expect(parts).toContain(`Intensity moves by +${formatShare(Math.expm1(segment!.locality))}`);
    expect(parts).toContain(`bytes per second by +${formatShare(Math.expm1(segment!.throughput))}`);
  });

  test('one time each tells no change', () => {
    const steps = [0.1, 0.05].map((time, index) =>
      stepOf({ parameter: 'workgroups', value: index + 1, seconds: [time] }),
    );
    const trajectory = trajectories(steps, [device()])[0]!;
    const [change] = explainSegment(trajectory.segments[0]!, trajectory);
    expect(change).toBe('From workgroups 1 to 2 one time each cannot tell a change from noise.');
  });

  test('without ceilings no roof is named and no number is missing', () => {
    for (const after of [0.05, 0.09, 0.1, 0.2]) {
      const steps = [0.1, after].map((time, index) =>
        stepOf({ parameter: 'workgroups', value: index + 1, seconds: sixOf(time) }),
      );
      const trajectory = trajectories(steps, [])[0]!;
      const text = explainSegment(trajectory.segments[0]!, trajectory).join(' ');
      expect(text).not.toMatch(/roof|NaN|–|undefined/);
    }
  });
});

describe('trajectories', () => {
  test('saturation and optimum in words', () => {
    expect(
      explainTrajectory(workgroupSweep({ 1: 0.4, 2: 0.2, 4: 0.102, 8: 0.1, 16: 0.101 })),
    ).toEqual([
      'It is fastest at workgroups 8.',
      'From workgroups 4 on, growing it gains 5 % at most.',
    ]);
  });

  test('a sweep that still rises says so', () => {
    expect(explainTrajectory(workgroupSweep({ 1: 0.4, 2: 0.2 }))).toEqual([
      'It is fastest at workgroups 2.',
      'The sweep ended before the rate levelled off.',
    ]);
  });

  test('ties are named', () => {
    const [best] = explainTrajectory(workgroupSweep({ 1: 0.4, 2: 0.1, 4: 0.1 }, 0.02));
    expect(best).toMatch(
      /^It is fastest at workgroups [24], which the intervals cannot tell from [24]\.$/,
    );
  });

  test('nothing measured, nothing said', () => {
    const [trajectory] = trajectories([stepOf({ status: 'skipped', seconds: [] })], []);
    expect(explainTrajectory(trajectory!)).toEqual([]);
  });
});

describe('where the time of a step goes', () => {
  const plan = trainingPlan('resnet8', 8, { height: 32, width: 32, channels: 1 });
  const worst = plan.ops.findIndex(({ kind }) => kind === 'conv2d.backwardWeight');
  const view = (whole: number, roofline: Roofline | undefined) => {
    const calls = plan.ops.map((_, op): CallTiming => {
      const seconds = sixOf(op === worst ? 0.022 : 1e-3);
      return { ops: [op], variant: 'plain', seconds, timer: 'timestamp', flags: [] };
    });
    return explainBreakdown(stepBreakdown([stepOf({ calls, seconds: sixOf(whole) })], roofline)!);
  };
  const called = plan.ops.length - 1 + 22;

  test('the sum, the largest part, the worst call', () => {
    const overhead = sampleOf(
      { kind: 'overhead', of: 'dispatch', count: 1000 },
      { seconds: sixOf(0.1) },
    );
    const said = view(0.125, device({}, [overhead]));
    expect(said[0]).toBe(
      `The calls add up to ${called}.0 ms of a step's 125 ms; the other 21 % go by between them.`,
    );
    expect(said[1]).toBe('The largest part is batch-norm, 45 calls in 45.0 ms.');
    expect(said[2]).toMatch(
      new RegExp(
        `^Most is lost in conv2d.backwardWeight of ${plan.ops[worst]!.name}: 22\\.0 ms where \\d`,
      ),
    );
    expect(said[3]).toMatch(/^Starting the calls explains at most \d+(\.\d)? % of their time\.$/);
    expect(said).toHaveLength(4);
  });

  test('calls that overlap in the step are not made to fit', () => {
    expect(view(0.05, device())[0]).toMatch(/: one by one they take 98 % longer than in a step\.$/);
  });

  test('without ceilings nothing is lost that is known', () => {
    expect(view(0.125, undefined).join(' ')).not.toMatch(/lost|bandwidth|Starting|NaN/);
  });
});
