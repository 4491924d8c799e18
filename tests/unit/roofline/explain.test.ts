import { describe, expect, test } from 'vitest';
import {
  explainCeiling,
  explainPoint,
  explainTrajectory,
} from '../../../src/core/roofline/explain.ts';
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
import { computeSample, noisyTimes, sixOf, stepOf, sweepSamples } from './samples.ts';

const mebi = 2 ** 20;
const memory = {
  bandwidths: [40e9, 4.2e9],
  capacities: [mebi / 4],
  transitionOctaves: 0.5,
  overheadSize: 0,
};
const sweep = { smallest: 2 ** 14, largest: 128 * mebi, ratio: Math.SQRT2 };

function device(change = {}): Roofline {
  return rooflines([
    computeSample(57e9, change),
    ...sweepSamples(memory, sweep, { noise: 0.005 }),
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

  test('memory levels by their capacity', () => {
    const roofline = device();
    const [cache, last] = roofline.bandwidth.map(
      (ceiling) => explainCeiling(ceiling, roofline)[0]!,
    );
    expect(cache).toMatch(
      /^Data of up to about 2\d\d KiB \(cache 1\) moves at (39|40)\.\d GB\/s at most/,
    );
    expect(last).toMatch(/^Data too large for the caches moves at 4\.\d\d GB\/s at most/);
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
      /The interval reaches 11 % from the value/,
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
