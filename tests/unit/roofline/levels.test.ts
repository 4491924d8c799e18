import { describe, expect, test } from 'vitest';
import recordedOfGpus from '../../fixtures/gpu-sweeps.json' with { type: 'json' };
import recorded from '../../fixtures/cpu-sweeps.json' with { type: 'json' };
import type { LatencyPoint } from '../../../src/core/roofline/latencyLevels.ts';
import { levelNames } from '../../../src/core/roofline/levelNames.ts';
import {
  findLevels,
  type MemoryLevel,
  type SweepPoint,
} from '../../../src/core/roofline/levels.ts';
import { median } from '../../../src/core/stats/median.ts';
import { generator } from '../../support/random.ts';
import { syntheticSweep, type Sweep, type SyntheticMemory } from './sweeps.ts';

const kibi = 2 ** 10;
const mebi = 2 ** 20;

const bandwidths = [400e9, 150e9, 60e9, 20e9];
const capacities = [48 * kibi, 1.25 * mebi, 24 * mebi];

/** The last `levels` levels of a four-level memory, or less steep ones. */
function memoryOf(levels: number, change: Partial<SyntheticMemory> = {}): SyntheticMemory {
  return {
    bandwidths: bandwidths.slice(-levels),
    capacities: levels === 1 ? [] : capacities.slice(-(levels - 1)),
    transitionOctaves: 0.5,
    overheadSize: 0,
    ...change,
  };
}

const fine: Sweep = { smallest: 4 * kibi, largest: 512 * mebi, ratio: 1.19 };
const coarse: Sweep = { smallest: 4 * kibi, largest: 512 * mebi, ratio: 1.42 };
const seeds = Array.from({ length: 100 }, (_, index) => index + 1);

function expectLevels(
  found: readonly MemoryLevel[],
  memory: SyntheticMemory,
  capacityFactor = 1.5,
): void {
  expect(found).toHaveLength(memory.bandwidths.length);
  for (const [index, level] of found.entries()) {
    expect(level.bytesPerSecond / memory.bandwidths[index]!).toBeGreaterThan(0.93);
    expect(level.bytesPerSecond / memory.bandwidths[index]!).toBeLessThan(1.07);
    const capacity = memory.capacities[index];
    if (capacity === undefined) {
      expect(level.capacity).toBeUndefined();
    } else {
      expect(level.capacity!.capacityBytes / capacity).toBeGreaterThan(1 / capacityFactor);
      expect(level.capacity!.capacityBytes / capacity).toBeLessThan(capacityFactor);
    }
  }
}

describe.each([
  ['full', fine],
  ['quick', coarse],
])('a sweep as in the %s profile', (_, sweep) => {
  test.each([1, 2, 3, 4])('%d levels under 3 percent noise', (levels) => {
    const memory = memoryOf(levels);
    for (const seed of seeds)
      expectLevels(findLevels(syntheticSweep(memory, sweep, 0.03, seed)), memory);
  });

  test.each([1, 2, 3, 4])('%d levels under 3 percent noise and a spike up or down', (levels) => {
    const memory = memoryOf(levels);
    for (const seed of seeds) {
      const points = syntheticSweep(memory, sweep, 0.03, seed);
      const random = generator(seed + 1000);
      const index = Math.floor(random() * points.length);
      const factor = random() < 0.5 ? 1.3 + random() : 1 / (1.3 + random());
      const spike = points[index]!;
      points[index] = { ...spike, bytesPerSecond: spike.bytesPerSecond * factor };
      expectLevels(findLevels(points), memory);
    }
  });

  test.each([0, 0.5, 1, 1.5])(
    'transitions of %d octaves make no level of their own, and hold the capacity',
    (octaves) => {
      const memory = memoryOf(4, { transitionOctaves: octaves });
      const found = seeds.map((seed) => findLevels(syntheticSweep(memory, sweep, 0.03, seed)));
      for (const levels of found) expectLevels(levels, memory);
      for (const [index, capacity] of capacities.entries()) {
        const intervals = found.map((levels) => levels[index]!.capacity!);
        const holding = intervals.filter(
          ({ capacityLowBytes, capacityHighBytes }) =>
            capacityLowBytes <= capacity && capacity <= capacityHighBytes,
        );
        expect(holding.length).toBeGreaterThanOrEqual(90);
        // No wider than the transition and what lies between two working sets.
        const widths = intervals.map((each) => each.capacityHighBytes / each.capacityLowBytes);
        expect(median(widths)).toBeLessThan(2 ** octaves * sweep.ratio * 1.01);
      }
    },
  );

  test('levels only 1.4 times apart', () => {
    const memory = memoryOf(3, { bandwidths: [39.2e9, 28e9, 20e9] });
    for (const seed of seeds)
      expectLevels(findLevels(syntheticSweep(memory, sweep, 0.03, seed)), memory);
  });

  test('levels less than 1.2 times apart share a roof', () => {
    const memory = memoryOf(2, { bandwidths: [23e9, 20e9] });
    for (const seed of seeds) {
      expect(findLevels(syntheticSweep(memory, sweep, 0.03, seed))).toHaveLength(1);
    }
  });

  test('the launch-limited rise on the left is no level', () => {
    for (const levels of [1, 2]) {
      const memory = memoryOf(levels, { overheadSize: 256 * kibi });
      const from64: Sweep = { ...sweep, smallest: 16 * kibi };
      for (const seed of seeds) {
        expect(findLevels(syntheticSweep(memory, from64, 0.03, seed))).toHaveLength(levels);
      }
    }
  });

  test('a rise that never ends gives a level near its top, not its middle', () => {
    // The largest working set reaches 0.89 of the bandwidth.
    const memory = memoryOf(1, { overheadSize: 8 * mebi });
    const cut: Sweep = { ...sweep, smallest: 16 * kibi, largest: 64 * mebi };
    const found = seeds.map((seed) => findLevels(syntheticSweep(memory, cut, 0.03, seed)));
    expect(found.every((levels) => levels.length === 1)).toBe(true);
    const values = found.map(([level]) => level!.bytesPerSecond / 20e9);
    expect(median(values)).toBeGreaterThan(0.81);
  });

  test('a last level cut off after three working sets', () => {
    const memory = memoryOf(4, { transitionOctaves: 0.25 });
    const cut: Sweep = { ...sweep, largest: capacities[2]! * 1.2 * sweep.ratio ** 3 };
    for (const seed of seeds)
      expectLevels(findLevels(syntheticSweep(memory, cut, 0.03, seed)), memory);
  });
});

/** Working sets doubling from 4 KiB. */
function curve(rates: readonly number[]): SweepPoint[] {
  return rates.map((bytesPerSecond, index) => ({
    workingSetSize: 2 ** (12 + index),
    bytesPerSecond,
  }));
}

function capacityOf(rates: readonly number[]): number {
  return findLevels(curve(rates))[0]!.capacity!.capacityBytes;
}

describe('shape of the curve', () => {
  test('no points, no levels; one point, one level', () => {
    expect(findLevels([])).toEqual([]);
    expect(findLevels(curve([5e9]))).toHaveLength(1);
  });

  test('the order of the points does not matter', () => {
    const points = syntheticSweep(memoryOf(4), fine, 0.03, 5);
    expect(findLevels(points.toReversed())).toEqual(findLevels(points));
  });

  test('never more than four, never rising', () => {
    const stairs = curve([64, 64, 64, 32, 32, 32, 16, 16, 16, 8, 8, 8, 4, 4, 4, 2, 2, 2]);
    const found = findLevels(stairs);
    expect(found.length).toBeLessThanOrEqual(4);
    for (const [index, level] of found.slice(1).entries()) {
      expect(found[index]!.bytesPerSecond / level.bytesPerSecond).toBeGreaterThanOrEqual(1.25);
    }
  });

  test('two working sets between two plateaus are a transition, not a level', () => {
    expect(findLevels(curve([40, 40, 40, 40, 20, 20, 10, 10, 10, 10]))).toHaveLength(2);
    expect(findLevels(curve([40, 40, 40, 40, 20, 20, 20, 10, 10, 10]))).toHaveLength(3);
  });

  test('a spike inside a transition is not the end of the plateau before it', () => {
    const smooth = capacityOf([80, 80, 80, 80, 40, 24, 20, 20, 20, 20]);
    const spiked = capacityOf([80, 80, 80, 80, 40, 80, 20, 20, 20, 20]);
    expect(spiked / smooth).toBeGreaterThan(1);
    expect(spiked / smooth).toBeLessThanOrEqual(2);
  });

  test('a slope is no level, however long', () => {
    const slope = [40, 40, 40, 40, 12, 11, 10, 9.2, 8.4, 7.7, 7, 6.4, 5.9, 5.4];
    expect(findLevels(curve(slope))).toHaveLength(2);
  });

  test('a sweep that ends while bandwidth falls has a last level there, not settled', () => {
    const found = findLevels(curve([40, 40, 40, 40, 20, 16]));
    expect(found.map(({ settled }) => settled)).toEqual([true, false]);
    expect(found[1]!.bytesPerSecond).toBeCloseTo(Math.sqrt(20 * 16), 6);
    expect(findLevels(curve([40, 40, 40, 40, 16]))).toHaveLength(1);
  });

  test.each([
    ['holds long enough', [40, 40, 40, 40, 20, 20, 20], true],
    ['is two working sets', [40, 40, 40, 40, 20, 20], false],
    ['ends in one far below', [40, 40, 40, 40, 20, 20, 20, 9], false],
    ['ends in one far above', [40, 40, 40, 40, 20, 20, 20, 35], true],
    ['is the only one and ends in one far below', [40, 40, 40, 40, 25], false],
    ['is the only one', [40, 40], true],
  ])('a last level that %s', (_, rates, settled) => {
    expect(findLevels(curve(rates)).at(-1)?.settled).toBe(settled);
  });

  test('bandwidth that recovers after a dip is one level', () => {
    expect(findLevels(curve([20, 20, 20, 20, 12, 12, 20, 20, 20, 20]))).toHaveLength(1);
  });

  test('one slow working set at the end is no level', () => {
    expect(findLevels(curve([20, 20, 20, 20, 20, 20, 9]))).toHaveLength(1);
  });

  test('a cache of random replacement gives way over octaves and is still one edge', () => {
    // Share h = capacity / size still hits; time per byte is h / fast + (1 - h) / slow.
    const capacity = 2 * mebi;
    const points = syntheticSweep(memoryOf(1), fine, 0.03, 3).map(({ workingSetSize }) => {
      const hits = Math.min(1, capacity / workingSetSize);
      return { workingSetSize, bytesPerSecond: 1 / (hits / 80e9 + (1 - hits) / 20e9) };
    });
    const found = findLevels(points);
    expect(found).toHaveLength(2);
    const { capacityBytes, capacityLowBytes } = found[0]!.capacity!;
    expect(capacityBytes / capacity).toBeGreaterThan(1);
    expect(capacityBytes / capacity).toBeLessThan(1.6);
    // It begins to give way where it is full.
    expect(capacityLowBytes / capacity).toBeLessThan(1.05);
  });
});

/** Working sets doubling from 4 KiB. */
function chase(nanoseconds: readonly number[]): LatencyPoint[] {
  return nanoseconds.map((value, index) => ({
    workingSetSize: 2 ** (12 + index),
    seconds: value * 1e-9,
  }));
}

describe('latency', () => {
  const rates = [40, 40, 40, 40, 40, 40, 40, 40, 10, 10, 10, 10];

  test('tells levels of equal bandwidth apart, which then share it', () => {
    const found = findLevels(curve(rates), chase([1, 1, 1, 1, 4, 4, 4, 4, 20, 20, 20, 20]));
    expect(found.map(({ bytesPerSecond }) => bytesPerSecond)).toEqual([
      expect.closeTo(40),
      expect.closeTo(40),
      expect.closeTo(10),
    ]);
    expect(found[0]!.capacity!.capacityBytes / (48 * kibi)).toBeGreaterThan(1 / 1.5);
    expect(found[0]!.capacity!.capacityBytes / (48 * kibi)).toBeLessThan(1.5);
    expect(found[1]!.capacity).toEqual(findLevels(curve(rates))[0]!.capacity);
    expect(found.map(({ length }) => length)).toEqual([4, 4, 4]);
  });

  test('that rises by less than 1.8 adds no level', () => {
    const slow = chase([1, 1, 1, 1, 1.7, 1.7, 1.7, 1.7, 20, 20, 20, 20]);
    expect(findLevels(curve(rates), slow)).toEqual(findLevels(curve(rates)));
  });

  test('gives inner capacities, bandwidth the outermost', () => {
    const three = curve([40, 40, 40, 40, 20, 20, 20, 20, 5, 5, 5, 5]);
    // The chase sees the first edge an octave earlier and the second an octave later.
    const found = findLevels(three, chase([1, 1, 1, 4, 4, 4, 4, 4, 4, 20, 20, 20]));
    const alone = findLevels(three);
    expect(found).toHaveLength(3);
    expect(found[0]!.capacity!.capacityBytes / alone[0]!.capacity!.capacityBytes).toBeLessThan(0.7);
    expect(found[1]!.capacity).toEqual(alone[1]!.capacity);
  });

  test('adds no fifth level, and none beyond what the sweep saw', () => {
    const four = curve([80, 80, 80, 80, 80, 80, 40, 40, 40, 20, 20, 20, 5, 5, 5]);
    const early = chase([1, 1, 1, 4, 4, 4, 10, 10, 10, 30, 30, 30, 90, 90, 90]);
    expect(findLevels(four, early)).toHaveLength(4);
    const late = chase([...rates.map(() => 1), 9, 9, 9]);
    expect(findLevels(curve(rates), late)).toHaveLength(2);
  });
});

function sweepPoint([workingSetSize = 0, bytesPerSecond = 0]: readonly number[]): SweepPoint {
  return { workingSetSize, bytesPerSecond };
}

describe('recorded sweeps', () => {
  const [, secondCache = 0, thirdCache = 0] = recorded.cacheSizes;

  test.each(recorded.sweeps)(
    '$browser, $profile: the caches that the machine has',
    ({ points }) => {
      const found = findLevels(
        points.map(([workingSetSize = 0, bytesPerSecond = 0]) => ({
          workingSetSize,
          bytesPerSecond,
        })),
      );
      // With 128-bit loads the first two caches differ by less than 1.25, with memory.copy by more.
      const edges = found.map(({ capacity }) => capacity?.capacityBytes ?? Infinity);
      const outer = edges.filter((capacity) => capacity > secondCache / 2);
      expect(outer).toHaveLength(3);
      // The intervals hold what the machine has.
      for (const [index, size] of [secondCache, thirdCache].entries()) {
        const capacity = found.at(index - 3)?.capacity;
        expect(capacity!.capacityLowBytes).toBeLessThanOrEqual(size * 1.001);
        expect(capacity!.capacityHighBytes).toBeGreaterThanOrEqual(size * 0.999);
      }
      expect(Math.abs(Math.log(outer[0]! / secondCache))).toBeLessThan(Math.log(1.5));
      expect(Math.abs(Math.log(outer[1]! / thirdCache))).toBeLessThan(Math.log(1.5));
      expect(found.length).toBeLessThanOrEqual(4);
      expect(levelNames([...edges.slice(0, -1), undefined], 'cpu', 1).slice(-3)).toEqual([
        'L2',
        'L3',
        'memory',
      ]);
    },
  );

  test.each(recordedOfGpus.sweeps)('GPU, $browser, $of: $levels level', (recording) => {
    const { points, levels, capacities: known } = recording;
    const found = findLevels(points.map(sweepPoint));
    expect(found).toHaveLength(levels);
    const inner = found.slice(0, -1).map(({ capacity }) => capacity!.capacityBytes);
    expect(inner).toHaveLength(known.length);
    for (const [index, capacity] of known.entries())
      expect(Math.abs(Math.log(inner[index]! / capacity))).toBeLessThan(Math.log(1.5));
    // Caches that are less than 1.25 times as fast as memory are no levels; on Chromium's adapter the
    // launch-limited side is half as fast.
    const largest = Math.max(...points.map(([size = 0]) => size));
    const far = points.filter(([size = 0]) => size >= largest / 2).map(([, rate = 0]) => rate);
    expect(Math.abs(found[levels - 1]!.bytesPerSecond / median(far) - 1)).toBeLessThan(0.12);
  });

  test('memory is slower than the cache even where the sweep ended too early to see it settle', () => {
    const [quick] = recorded.sweeps;
    const found = findLevels(quick!.points.map(sweepPoint));
    expect(found.map(({ settled }) => settled)).toEqual([true, true, true, false]);
    expect(found[3]!.bytesPerSecond).toBeLessThan(62e9);
  });
});

function cpuNames(edges: readonly number[], threads: number): string[] {
  return levelNames([...edges, undefined], 'cpu', threads);
}

describe('names', () => {
  test.each([
    [[48 * kibi, mebi, 32 * mebi], 1, ['L1', 'L2', 'L3', 'memory']],
    [[mebi, 32 * mebi], 1, ['L2', 'L3', 'memory']],
    [[1.3 * mebi, 59 * mebi], 2, ['L2', 'L3', 'memory']],
    [[128 * kibi, 12 * mebi], 1, ['L1', 'L2', 'memory']],
    [[8 * mebi, 12 * mebi], 16, ['L2', 'L3', 'memory']],
    [[], 1, ['memory']],
  ])('%j bytes on %d threads', (edges, threads, names) => {
    expect(cpuNames(edges, threads)).toEqual(names);
  });

  test('a GPU has numbers', () => {
    expect(levelNames([mebi, undefined], 'gpu', 1)).toEqual(['cache 1', 'memory']);
  });
});
