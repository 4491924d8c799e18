import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  settingAt,
  sweepOf,
  type StepSetting,
  type Sweep,
} from '../../../src/core/sweeps/sweep.ts';
import {
  SweepPlanner,
  type Visit,
  type VisitReport,
} from '../../../src/core/sweeps/sweepPlanner.ts';

const base = { model: 'resnet8', batch: 8 } as const;
const limits = { budget: { seconds: 4, mostSeconds: 10, visits: 5 }, seed: 1 };

/** Walks a sweep on a device whose steps take these seconds at a visit; NaN fails. */
function walk(
  sweep: Sweep,
  secondsOf: (setting: StepSetting, visit: number) => number,
  { seed = 1, remaining = Infinity, reports = [] as VisitReport[] } = {},
): { visits: Visit[]; planner: SweepPlanner } {
  const planner = new SweepPlanner(sweep, { ...limits, seed }, reports);
  const visits: Visit[] = [];
  let left = remaining;
  for (let visit = planner.next(left); visit; visit = planner.next(left)) {
    expect(visits.length).toBeLessThan(100);
    expect(planner.next(left)).toEqual(visit);
    visits.push(visit);
    const { value } = visit;
    const before = visits.slice(0, -1).filter((other) => other.value === value).length;
    const seconds = secondsOf(visit.setting, before);
    if (visit.skip !== undefined) planner.report({ value, status: 'skipped', seconds: [] });
    else if (Number.isNaN(seconds)) planner.report({ value, status: 'failed', seconds: [] });
    else planner.report({ value, status: 'ok', seconds: [seconds, seconds, seconds] });
    left -= visit.skip === undefined && !Number.isNaN(seconds) ? 4 * seconds : 0;
  }
  return { visits, planner };
}

function measured(visits: readonly Visit[]): number[] {
  return visits.filter(({ skip }) => skip === undefined).map(({ value }) => value);
}

function visitsAt(visits: readonly Visit[], wanted: number): number {
  return visits.filter(({ value }) => value === wanted).length;
}

/** Every second visit takes twice as long. */
function scattered({ batch }: StepSetting, visit: number): number {
  return 0.01 * batch * (1 + (visit % 2));
}

const batchSweep = sweepOf('batch', base, { largestBatch: 1024 });

/** Rate 100 b / (b + 6): from batch 64 to 128 it gains 4.6 %, from 128 to 256 2.3 %. */
function levelling({ batch }: StepSetting): number {
  return 0.01 * (batch + 6);
}

describe('values', () => {
  test('of a batch: doublings to 32, or to what fits', () => {
    expect(batchSweep.values).toEqual([1, 2, 4, 8, 16, 32]);
    expect(sweepOf('batch', base, { largestBatch: 20 }).values).toEqual([1, 2, 4, 8, 16]);
    expect(sweepOf('batch', base, { largestBatch: 0 }).values).toEqual([]);
  });

  test('of workgroups: doublings, and one a tile at the end', () => {
    const bounds = { largestBatch: 32, mostTiles: 12 };
    expect(sweepOf('workgroups', base, bounds).values).toEqual([1, 2, 4, 8, 12]);
    expect(sweepOf('workgroups', base, { ...bounds, mostTiles: 8 }).values).toEqual([1, 2, 4, 8]);
  });

  test('of many workgroups: powers of four where a quick sweep has no time for all of two', () => {
    const bounds = { largestBatch: 32, mostTiles: 100, mostWorkgroupValues: 6 };
    expect(sweepOf('workgroups', base, bounds).values).toEqual([1, 4, 16, 64, 100]);
    expect(sweepOf('workgroups', base, { ...bounds, mostTiles: 33 }).values).toEqual([
      1, 2, 4, 8, 16, 32, 33,
    ]);
  });

  test('of threads and replicas: within the cores together', () => {
    const bounds = { largestBatch: 32, cores: 6 };
    expect(sweepOf('threads', base, bounds).values).toEqual([1, 2, 4, 6]);
    expect(sweepOf('threads', { ...base, replicas: 3 }, bounds).values).toEqual([1, 2]);
    expect(sweepOf('replicas', { ...base, threads: 2 }, bounds).values).toEqual([1, 2, 3]);
    expect(sweepOf('replicas', { ...base, batch: 4 }, bounds).values).toEqual([1, 2, 4]);
    const weak = sweepOf('replicas', { ...base, batch: 4, scaling: 'weak' }, bounds);
    expect(weak.values).toEqual([1, 2, 4, 6]);
    expect(settingAt(weak, 6)).toMatchObject({ batch: 24, replicas: 6 });
  });

  test('of depth and width: the models of the family', () => {
    const bounds = { largestBatch: 32 };
    const depth = sweepOf('depth', base, bounds);
    expect(depth.values).toEqual([8, 14, 20, 32, 56]);
    expect(settingAt(depth, 20)).toEqual({ model: 'resnet20', batch: 8 });
    const width = sweepOf('width', { ...base, model: 'resnet20x2' }, bounds);
    expect(width.values).toEqual([1, 2, 4, 8]);
    expect(settingAt(width, 4).model).toBe('resnet20x4');
    expect(() => settingAt(width, 3)).toThrow(/no model of width 3/);
    expect(sweepOf('depth', { ...base, model: 'inception' }, bounds).values).toEqual([]);
  });

  test('of a workgroup size: those that the kernels can have', () => {
    const sweep = sweepOf('workgroupSize', base, { largestBatch: 32, workgroupSizes: [32, 64] });
    expect(sweep.values).toEqual([32, 64]);
    expect(settingAt(sweep, 64)).toEqual({ ...base, workgroupSize: 64 });
  });
});

describe('order', () => {
  test('the quick end first, the rest shuffled, then all again in another order', () => {
    const orders = new Set<string>();
    for (let seed = 1; seed <= 20; seed += 1) {
      const { visits } = walk(batchSweep, ({ batch }) => 0.01 * batch, { seed });
      const values = visits.map(({ value }) => value);
      expect(values[0]).toBe(1);
      for (const round of [values.slice(0, 6), values.slice(6)])
        expect(round.toSorted((a, b) => a - b)).toEqual([1, 2, 4, 8, 16, 32]);
      expect(visits.map(({ isRepeat }) => isRepeat)).toEqual(values.map((_, index) => index >= 6));
      orders.add(values.slice(0, 6).join()).add(values.slice(6).join());
    }
    expect(orders.size).toBeGreaterThan(30);
  });

  test('is the same for the same seed', () => {
    const [first, second] = [1, 2].map(() => walk(batchSweep, levelling).visits);
    expect(first).toEqual(second);
  });

  test('workgroups begin with one a tile', () => {
    const sweep = sweepOf('workgroups', base, { largestBatch: 32, mostTiles: 100 });
    const { visits } = walk(sweep, () => 0.01);
    expect(visits[0]!.value).toBe(100);
    expect(measured(visits)).toHaveLength(2 * 8);
  });
});

describe('visits of a value', () => {
  test('two that agree are enough, one that was disturbed is outvoted by others', () => {
    const { visits } = walk(batchSweep, ({ batch }, visit) => {
      const disturbed = batch === 8 && visit === 0;
      return 0.01 * batch * (disturbed ? 1.5 : 1);
    });
    expect(visitsAt(visits, 4)).toBe(2);
    // Twelve of fifteen steps agree: the interval of their median is narrow.
    expect(visitsAt(visits, 8)).toBeGreaterThan(2);
    expect(visitsAt(visits, 8)).toBeLessThanOrEqual(limits.budget.visits);
  });

  test('those with the fewest come first, while there is time and no more than the budget has', () => {
    const sweep = sweepOf('batch', base, { largestBatch: 32 });
    const { visits } = walk(sweep, scattered);
    for (const value of sweep.values) expect(visitsAt(visits, value)).toBe(limits.budget.visits);
    for (const [at, { value }] of visits.entries()) {
      const before = visits.slice(0, at);
      const fewest = Math.min(...sweep.values.map((each) => visitsAt(before, each)));
      expect(visitsAt(before, value)).toBe(fewest);
    }
    const short = walk(sweep, scattered, { remaining: 6 }).visits;
    expect(short.length).toBeLessThan(visits.length);
    expect(short.length).toBeGreaterThan(6);
  });

  test('a value alone is visited once: there is none to tell it from', () => {
    const sweep = sweepOf('batch', base, { largestBatch: 1 });
    expect(measured(walk(sweep, () => 0.01).visits)).toEqual([1]);
  });

  test('steps of one are timed for its part of the time, at least three or two again', () => {
    const { visits } = walk(batchSweep, ({ batch }) => 0.01 * batch);
    for (const { budget, isRepeat } of visits)
      expect(budget).toEqual({ seconds: 0.8, mostSeconds: 10, fewestSteps: isRepeat ? 2 : 3 });
  });
});

describe('growth', () => {
  test('stops after two doublings that gain under 5 %', () => {
    const { visits } = walk(batchSweep, levelling);
    expect(Math.max(...measured(visits))).toBe(256);
  });

  test('goes on while one of the last two gains, up to what fits', () => {
    const { visits } = walk(batchSweep, () => 0.1);
    expect(Math.max(...measured(visits))).toBe(1024);
  });

  test('stops where a step passes the budget, and says so', () => {
    const { visits } = walk(batchSweep, ({ batch }) => 0.01 * batch ** 1.2 + 0.3 / batch, {});
    const skips = visits.filter(({ skip }) => skip !== undefined);
    expect(skips.length).toBeLessThanOrEqual(1);
    const slow = walk(batchSweep, ({ batch }) => 1 + 0.2 * batch);
    expect(measured(slow.visits)).not.toContain(32);
    expect(slow.visits.filter(({ skip }) => skip).map(({ skip }) => skip)).toContainEqual(
      expect.stringMatching(/three warm steps would take/),
    );
  });

  test('no value is tried that is harder than one that took too long', () => {
    const property = fc.property(
      fc.double({ min: 1e-3, max: 5, noNaN: true }),
      fc.double({ min: 0.3, max: 1.2, noNaN: true }),
      fc.nat(1000),
      (one, power, seed) => {
        const secondsOf = ({ batch }: StepSetting) => one * batch ** power;
        const { visits } = walk(batchSweep, secondsOf, { seed });
        const skipped = visits.filter(({ skip }) => skip !== undefined).map(({ value }) => value);
        for (const value of measured(visits)) expect(value).toBeLessThan(Math.min(...skipped, 1e9));
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  test('a pessimistic bound skips nothing that a neighbour shows to be affordable', () => {
    // One workgroup takes no longer than 4096: by the bound 4096 times as long.
    const sweep = sweepOf('workgroups', base, { largestBatch: 32, mostTiles: 4096 });
    const { visits } = walk(sweep, () => 0.05);
    expect(visits.every(({ skip }) => skip === undefined)).toBe(true);
    expect(new Set(measured(visits)).size).toBe(13);
  });
});

describe('faults and time', () => {
  test('goes on where a fault stopped it', () => {
    const whole = walk(batchSweep, levelling);
    for (let done = 0; done <= whole.visits.length; done += 1) {
      const reports = whole.planner.reports.slice(0, done);
      const rest = walk(batchSweep, levelling, { reports: [...reports] });
      expect(rest.visits).toEqual(whole.visits.slice(done));
    }
  });

  test('a failed point is not tried again and does not end the sweep', () => {
    const { visits } = walk(batchSweep, ({ batch }) => (batch === 4 ? NaN : 0.01 * batch));
    expect(measured(visits).filter((value) => value === 4)).toHaveLength(1);
    expect(new Set(measured(visits))).toContain(32);
  });

  test('a doubling that would take longer than is left is skipped, after all values were met twice', () => {
    // The values take 3.96 s, and again; 64 images may take twice the 0.38 s of 32.
    const { visits } = walk(batchSweep, levelling, { remaining: 9.92 });
    const skipped = visits.filter(({ skip }) => skip !== undefined);
    expect(skipped.map(({ value, skip }) => [value, skip])).toEqual([
      [64, 'it would take 3.0 s, and the sweep has 2.0 s left'],
    ]);
    const again = visits.filter(({ isRepeat }) => isRepeat).map(({ value }) => value);
    expect(again.toSorted((a, b) => a - b)).toEqual([1, 2, 4, 8, 16, 32]);
    expect(visits.at(-1)).toBe(skipped[0]);
  });

  test('without time the rest is skipped with the reason, and nothing is repeated', () => {
    const { visits } = walk(batchSweep, ({ batch }) => 0.01 * batch, { remaining: 0.5 });
    const skips = visits.flatMap(({ skip }) => skip ?? []);
    expect(skips.length).toBeGreaterThan(0);
    expect(new Set(skips)).toEqual(new Set(['the time for the sweep was spent']));
    expect(visits.some(({ isRepeat }) => isRepeat)).toBe(false);
    expect(visits.map(({ value }) => value).toSorted((a, b) => a - b)).toEqual([
      1, 2, 4, 8, 16, 32,
    ]);
  });

  test('where there may be no time for all values the easiest come first', () => {
    // Four steps each of all values take 2.52 s.
    const { visits } = walk(batchSweep, ({ batch }) => 0.01 * batch, { remaining: 1.6 });
    expect(measured(visits).slice(0, 6)).toEqual([1, 2, 4, 8, 16, 32]);
    const { visits: others } = walk(batchSweep, ({ batch }) => 0.01 * batch, { remaining: 60 });
    expect(measured(others).slice(0, 6)).not.toEqual([1, 2, 4, 8, 16, 32]);
  });

  test('a visit may cost an even share of a short time', () => {
    const planner = new SweepPlanner(batchSweep, limits);
    // Six values and two more visits.
    expect(planner.next(1.6)!.budget.seconds).toBeCloseTo(0.2, 12);
    planner.report({ value: 1, status: 'ok', seconds: [0.01, 0.01, 0.01] });
    expect(planner.next(1.4)!.budget.seconds).toBeCloseTo(0.2, 12);
  });

  test('progress rises from 0 to 1', () => {
    const planner = new SweepPlanner(batchSweep, limits);
    let progress = planner.progress;
    expect(progress).toBe(0);
    for (let visit = planner.next(); visit; visit = planner.next()) {
      planner.report({ value: visit.value, status: 'ok', seconds: [0.01 * visit.value] });
      expect(planner.progress).toBeGreaterThan(progress);
      progress = planner.progress;
    }
    expect(progress).toBe(1);
  });

  test('nothing to sweep is no sweep', () => {
    const sweep = sweepOf('threads', base, { largestBatch: 32 });
    expect(new SweepPlanner(sweep, limits).next()).toBeUndefined();
  });
});
