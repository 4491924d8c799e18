import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segments, type Growth, type MotionPoint } from '../../../src/core/roofline/segments.ts';
import type { ReadingKind } from '../../../src/core/roofline/types.ts';
import { medianInterval } from '../../../src/core/stats/interval.ts';
import { exactPoints, published } from './publishedTrajectory.ts';
import { noisyTimes } from './samples.ts';

describe('the published trajectory (GPP on a V100)', () => {
  test('HBM intensity moves right in every segment', () => {
    const locality = segments(published('HBM'), 'work').map((segment) => segment.locality);
    expect(locality).toHaveLength(5);
    expect(locality.every((change) => change > 0)).toBe(true);
  });

  test('L2 intensity moves left once, from 2 to 3, read as extra traffic', () => {
    const left = segments(published('L2'), 'work').filter(({ locality }) => locality < 0);
    expect(left.map(({ from, to, kind }) => [from, to, kind])).toEqual([[2, 3, 'extra-traffic']]);
  });

  test.each(['HBM', 'L2', 'L1'] as const)(
    '%s: the parts add up to the change in log P',
    (level) => {
      const points = published(level);
      for (const [index, segment] of segments(points, 'work').entries()) {
        const change = Math.log(points[index + 1]!.flopsPerSecond / points[index]!.flopsPerSecond);
        expect(Math.abs(segment.locality + segment.throughput - change)).toBeLessThan(1e-12);
      }
    },
  );

  test('it climbs the HBM diagonal at 0.9 of its roof, leaves it, and ends without speed', () => {
    const kinds = segments(published('HBM'), 'work').map(({ kind }) => kind);
    expect(kinds).toEqual(['bandwidth-bound', 'reuse', 'reuse', 'reuse', 'reuse']);
  });
});

describe('the split', () => {
  const positive = fc.double({ min: 1e-6, max: 1e15, noNaN: true });
  const trajectory = fc
    .uniqueArray(fc.integer({ min: 1, max: 1e6 }), { minLength: 2, maxLength: 12 })
    .chain((values) =>
      fc.tuple(
        ...values
          .toSorted((a, b) => a - b)
          .map((value) =>
            fc.record({ value: fc.constant(value), intensity: positive, flopsPerSecond: positive }),
          ),
      ),
    );

  test('is exact to 1e-12 on random trajectories', () => {
    fc.assert(
      fc.property(trajectory, (list) => {
        const points = exactPoints(list);
        for (const [index, segment] of segments(points, 'work').entries()) {
          const [from, to] = [points[index]!, points[index + 1]!];
          const change = Math.log(to.flopsPerSecond) - Math.log(from.flopsPerSecond);
          expect(Math.abs(segment.locality + segment.throughput - change)).toBeLessThan(1e-12);
          const step = Math.log(to.value) - Math.log(from.value);
          expect(segment.efficiency * step).toBeCloseTo(change, 9);
          expect([segment.from, segment.to]).toEqual([from.value, to.value]);
        }
      }),
    );
  });

  test('no segments below two points', () => {
    expect(segments([], 'work')).toEqual([]);
    expect(segments(exactPoints([{ value: 1, intensity: 1, flopsPerSecond: 1 }]), 'work')).toEqual(
      [],
    );
  });
});

interface Case {
  readonly name: string;
  readonly kind: ReadingKind;
  readonly growth: Growth;
  /** Growth factors of intensity and of flop/s while the parameter doubles. */
  readonly intensity: number;
  readonly rate: number;
  readonly roofFraction?: number;
  readonly memoryShare?: number;
  readonly loadFraction?: number;
  readonly still?: boolean;
}

/** A synthetic segment for each row of the motion table. */
const cases: readonly Case[] = [
  { name: 'up in proportion', kind: 'ideal', growth: 'parallelism', intensity: 1, rate: 2 },
  {
    name: 'up, short of it',
    kind: 'lost-parallelism',
    growth: 'parallelism',
    intensity: 1,
    rate: 1.4,
  },
  {
    name: 'left, yet up in proportion',
    kind: 'ideal',
    growth: 'parallelism',
    intensity: 0.8,
    rate: 1.95,
  },
  {
    name: 'right and up',
    kind: 'reuse',
    growth: 'work',
    intensity: 1.4,
    rate: 1.5,
    roofFraction: 0.4,
  },
  {
    name: 'right, no faster',
    kind: 'reuse',
    growth: 'work',
    intensity: 1.4,
    rate: 1,
    roofFraction: 0.4,
  },
  { name: 'left and down', kind: 'extra-traffic', growth: 'work', intensity: 0.7, rate: 0.75 },
  { name: 'left, no slower', kind: 'extra-traffic', growth: 'work', intensity: 0.7, rate: 1 },
  {
    name: 'along a bandwidth diagonal',
    kind: 'bandwidth-bound',
    growth: 'work',
    intensity: 1.5,
    rate: 1.5,
    roofFraction: 0.93,
    memoryShare: 0.9,
  },
  {
    name: 'flat under the compute roof',
    kind: 'compute-bound',
    growth: 'parallelism',
    intensity: 1,
    rate: 1,
    roofFraction: 0.92,
    memoryShare: 0.1,
    still: true,
  },
  {
    name: 'flat on a bandwidth roof',
    kind: 'bandwidth-bound',
    growth: 'parallelism',
    intensity: 1,
    rate: 1,
    roofFraction: 0.92,
    memoryShare: 0.9,
    still: true,
  },
  {
    name: 'flat in the middle',
    kind: 'latency',
    growth: 'parallelism',
    intensity: 1,
    rate: 1,
    roofFraction: 0.4,
    memoryShare: 0.5,
    still: true,
  },
  {
    name: 'flat under the limit of its own loads',
    kind: 'load-limited',
    growth: 'parallelism',
    intensity: 1,
    rate: 1,
    roofFraction: 0.4,
    memoryShare: 0.5,
    loadFraction: 0.85,
    still: true,
  },
  {
    name: 'up at fixed intensity',
    kind: 'amortised',
    growth: 'work',
    intensity: 1,
    rate: 1.6,
    roofFraction: 0.4,
  },
  {
    name: 'down',
    kind: 'regression',
    growth: 'parallelism',
    intensity: 1,
    rate: 0.8,
    roofFraction: 0.4,
  },
  {
    name: 'down, for a small part by intensity',
    kind: 'regression',
    growth: 'work',
    intensity: 0.95,
    rate: 0.6,
  },
];

/** `length` points of a case, each the median of `repeats` times with this noise. */
function measured(
  entry: Case,
  noise: number,
  repeats: number,
  seed: number,
  length = 2,
): MotionPoint[] {
  return Array.from({ length }, (_, index) => {
    const rate = 1e9 * entry.rate ** index;
    const { median, low, high } = medianInterval(
      noisyTimes(1, noise, repeats, seed * length + index).map((time) => rate / time),
    );
    return {
      value: 2 ** index,
      intensity: 10 * entry.intensity ** index,
      flopsPerSecond: median,
      low,
      high,
      roofFraction: entry.roofFraction && (entry.roofFraction * median) / rate,
      memoryShare: entry.memoryShare,
      loadFraction: entry.loadFraction && (entry.loadFraction * median) / rate,
    };
  });
}

/** The reading of a batch that grows from 8 to 16 without speed, far from its roof. */
function standstill(intensity: number): string {
  const state = { flopsPerSecond: 1e9, roofFraction: 0.3, memoryShare: 0.4 };
  const points = exactPoints([
    { value: 8, intensity: 12, ...state },
    { value: 16, intensity, ...state },
  ]);
  return segments(points, 'work')[0]!.reading;
}

describe('the motion table', () => {
  test.each(cases)('$name reads $kind', (entry) => {
    const [segment] = segments(measured(entry, 0, 1, 1), entry.growth);
    expect(segment!.kind).toBe(entry.kind);
    expect(segment!.reading.startsWith('no change')).toBe(entry.still === true);
  });

  test.each(cases)('$name reads $kind under 3 percent noise in 95 of 100 seeds', (entry) => {
    let right = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const [segment] = segments(measured(entry, 0.03, 10, seed), entry.growth);
      if (segment!.kind === entry.kind) right += 1;
    }
    expect(right).toBeGreaterThanOrEqual(95);
  });

  test.each(cases)('$name, four segments long, reads $kind in 95 of 100 seeds', (entry) => {
    let right = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const found = segments(measured(entry, 0.03, 20, seed, 5), entry.growth);
      if (found.every(({ kind }) => kind === entry.kind)) right += 1;
    }
    expect(right).toBeGreaterThanOrEqual(95);
  });

  test('a change within the noise is no change, whichever way it points', () => {
    const [from, to] = [
      { value: 1, intensity: 10, flopsPerSecond: 1e9, low: 0.95e9, high: 1.05e9 },
      { value: 2, intensity: 10, flopsPerSecond: 1.04e9, low: 0.99e9, high: 1.09e9 },
    ];
    expect(segments([from, to], 'parallelism')[0]!.kind).toBe('no-change');
    expect(
      segments(
        [
          { ...to, value: 1 },
          { ...from, value: 2 },
        ],
        'parallelism',
      )[0]!,
    ).toMatchObject({
      kind: 'no-change',
      reading: 'no change',
    });
  });

  test('few samples widen the noise, and one sample has none that is known', () => {
    const [from, to] = [
      { value: 1, intensity: 10, flopsPerSecond: 1e9, low: 0.96e9, high: 1.04e9 },
      { value: 2, intensity: 10, flopsPerSecond: 0.92e9, low: 0.88e9, high: 0.96e9 },
    ];
    const noiseOf = (samples: number) =>
      segments(
        [
          { ...from, samples },
          { ...to, samples },
        ],
        'parallelism',
      )[0]!.noise;
    expect(segments([from, to], 'parallelism')[0]!.kind).toBe('regression');
    expect(noiseOf(6)).toBe(segments([from, to], 'parallelism')[0]!.noise);
    expect(noiseOf(3)! / noiseOf(6)!).toBeCloseTo(1.96 / 1.15, 2);
    const kindOf = (samples: number) =>
      segments(
        [
          { ...from, samples },
          { ...to, samples },
        ],
        'parallelism',
      )[0]!.kind;
    expect(kindOf(6)).toBe('regression');
    expect(kindOf(3)).toBe('no-change');
    expect(noiseOf(1)).toBeUndefined();
    expect(kindOf(1)).toBe('no-change');
  });

  test('a change beyond the noise is none of that', () => {
    const points = [
      { value: 1, intensity: 10, flopsPerSecond: 1e9, low: 0.99e9, high: 1.01e9 },
      { value: 2, intensity: 10, flopsPerSecond: 0.96e9, low: 0.95e9, high: 0.97e9 },
    ];
    expect(segments(points, 'parallelism')[0]!.reading).toBe('regression');
  });

  test('growth in proportion is strong scaling, or weak where the work grows along', () => {
    const points = exactPoints([
      { value: 1, intensity: 10, flopsPerSecond: 1e9 },
      { value: 2, intensity: 10, flopsPerSecond: 2e9 },
    ]);
    expect(segments(points, 'parallelism')[0]!.reading).toBe('ideal strong scaling');
    expect(segments(points, 'parallelism', 'weak')[0]!.reading).toBe('ideal weak scaling');
  });

  test('no interval is trusted below 3 %', () => {
    const [segment] = segments(
      exactPoints([
        { value: 1, intensity: 10, flopsPerSecond: 1e9 },
        { value: 2, intensity: 10, flopsPerSecond: 0.975e9 },
      ]),
      'parallelism',
    );
    expect(segment!.kind).toBe('no-change');
  });

  test('a little more intensity does not explain a standstill', () => {
    expect(standstill(12.3)).toBe(
      'no change: latency, overhead or missing instruction-level parallelism',
    );
    expect(standstill(14)).toBe('reuse gained, no faster');
  });

  test('without a roofline no state is claimed', () => {
    const kinds = cases
      .filter(({ still }) => still)
      .map(({ growth, intensity, rate }) => {
        const points = exactPoints([
          { value: 1, intensity: 10, flopsPerSecond: 1e9 },
          { value: 2, intensity: 10 * intensity, flopsPerSecond: 1e9 * rate },
        ]);
        return segments(points, growth)[0]!.kind;
      });
    expect(new Set(kinds)).toEqual(new Set(['no-change']));
  });
});
