import { describe, expect, test } from 'vitest';
import { flags } from '../../../src/core/roofline/flags.ts';
import { levelLatencies } from '../../../src/core/roofline/latency.ts';
import { rooflines } from '../../../src/core/roofline/rooflines.ts';
import type { Measured, Sample } from '../../../src/core/roofline/sample.ts';
import type { Roofline } from '../../../src/core/roofline/types.ts';
import { computeSample, noisyTimes, sampleOf, sixOf, sweepSamples } from './samples.ts';
import type { Sweep, SyntheticMemory } from './sweeps.ts';

const mebi = 2 ** 20;
const memory: SyntheticMemory = {
  bandwidths: [80e9, 20e9],
  capacities: [2 * mebi],
  transitionOctaves: 0.5,
  overheadSize: 0,
};
const sweep: Sweep = { smallest: 2 ** 14, largest: 128 * mebi, ratio: Math.SQRT2 };
/** P = 60 Gflop/s, B = 20 GB/s: they meet at 3 flop/byte. */
const ceilings = [computeSample(60e9), ...sweepSamples(memory, sweep)];

function only(samples: readonly Sample[]): Roofline {
  const found = rooflines(samples);
  expect(found).toHaveLength(1);
  return found[0]!;
}

/** `share` of the roof at an intensity. */
function mixed(intensity: number, share: number, change: Partial<Sample> = {}): Sample {
  const flops = Math.min(60e9, 20e9 * intensity) * share;
  const work = { flops, bytes: flops / intensity, workingSetSize: 64 * mebi };
  return sampleOf({ kind: 'mixed', precision: 'f32', ...work }, change);
}

function chase(workingSetSize: number, seconds: number): Sample {
  return sampleOf(
    { kind: 'latency', loads: 1000, workingSetSize },
    { seconds: sixOf(1000 * seconds) },
  );
}

/** A read of one working set by all workgroups; the change says what is different. */
function read(change: Partial<Extract<Measured, { kind: 'bandwidth' }>>): Sample {
  const work = { bytes: 1e11, workingSetSize: 2 ** 14 };
  return sampleOf({ kind: 'bandwidth', pattern: 'read', ...work, ...change });
}

/** A sweep in which a level of 32 KiB a workgroup ends. */
function privateSweep(bandwidths: readonly number[]): Sample[] {
  const caches = { ...memory, bandwidths, capacities: [2 ** 15] };
  return sweepSamples(caches, { ...sweep, smallest: 2 ** 11, largest: mebi }).map((sample) =>
    asPrivate(sample),
  );
}

function asPrivate(sample: Sample): Sample {
  const { measured } = sample;
  return measured.kind === 'bandwidth'
    ? { ...sample, measured: { ...measured, sweep: 'private' } }
    : sample;
}

function overhead(count: number, variant: string): Sample {
  return sampleOf({ kind: 'overhead', of: 'dispatch', count }, { variant });
}

function moved(direction: 'upload' | 'download', bytes: number, seconds: number): Sample {
  return sampleOf({ kind: 'transfer', direction, bytes }, { seconds: sixOf(seconds) });
}

describe('the knee', () => {
  test('points rise in intensity, beside the roof; the largest shortfall is at the knee', () => {
    const { knee } = only([
      ...ceilings,
      mixed(16, 0.99),
      mixed(1 / 8, 0.97),
      mixed(3, 0.6),
      mixed(1, 0.9),
    ]);
    expect(knee?.points.map(({ intensity }) => intensity)).toEqual([0.125, 1, 3, 16]);
    expect((knee?.points[0]?.roof ?? NaN) / 2.5e9).toBeCloseTo(1, 2);
    expect(knee?.points[3]?.roof).toBe(60e9);
    expect((knee?.points[2]?.value ?? NaN) / 36e9).toBeCloseTo(1, 9);
    expect(knee?.largestShortfall?.intensity).toBe(3);
    expect(knee?.largestShortfall?.shortfall).toBeCloseTo(0.4, 2);
  });

  test('at each intensity the fastest variant counts', () => {
    const { knee } = only([...ceilings, mixed(4, 0.5), mixed(4, 0.8, { variant: 'other' })]);
    expect(knee?.points).toHaveLength(1);
    expect(knee?.points[0]?.variant).toBe('other');
  });

  test('variants that only come near to an intensity share its point, which lies where the best is', () => {
    const { knee } = only([
      ...ceilings,
      mixed(16, 0.5),
      mixed(15.75, 0.8, { variant: 'three vectors' }),
      mixed(24, 0.9),
    ]);
    expect(knee?.points.map(({ intensity }) => intensity)).toEqual([15.75, 24]);
  });

  test('a point whose whole interval is above those of the ceilings is flagged, not clipped', () => {
    const { knee } = only([...ceilings, mixed(16, 1.2), mixed(32, 1)]);
    expect(knee?.points[0]?.flags).toEqual([flags.aboveRoof]);
    expect((knee?.points[0]?.value ?? NaN) / 72e9).toBeCloseTo(1, 9);
    expect(knee?.points[0]?.shortfall).toBeCloseTo(-0.2, 9);
    expect(knee?.points[1]?.flags).toEqual([]);
  });

  test('without a ceiling there are points and no shortfall', () => {
    const { knee } = only([computeSample(60e9), mixed(4, 0.5)]);
    expect(knee?.points[0]).not.toHaveProperty('roof');
    expect(knee).not.toHaveProperty('largestShortfall');
  });

  test('refused samples are no points', () => {
    expect(only([...ceilings, mixed(4, 0.5, { status: 'failed' })])).not.toHaveProperty('knee');
  });
});

describe('latency', () => {
  test('every set has its time, and the level that serves it where that is sure', () => {
    const { latency } = only([
      ...ceilings,
      chase(64 * mebi, 100e-9),
      chase(2 ** 16, 4e-9),
      chase(2 * mebi, 50e-9),
      chase(mebi, 5e-9),
    ]);
    expect(latency?.map(({ level }) => level)).toEqual(['cache 1', 'cache 1', undefined, 'memory']);
    expect((latency?.[0]?.value ?? NaN) / 4e-9).toBeCloseTo(1, 9);
    expect(latency?.[0]?.unit).toBe('s');
    expect(levelLatencies(latency ?? []).map(({ workingSetSize }) => workingSetSize)).toEqual([
      mebi,
      64 * mebi,
    ]);
  });

  test('a cache that only latency tells from memory is not called memory', () => {
    const flat = sweepSamples({ ...memory, bandwidths: [20e9], capacities: [] }, sweep);
    const sets = [chase(2 ** 16, 20e-9), chase(4 * mebi, 60e-9), chase(64 * mebi, 100e-9)];
    const { latency } = only([...flat, ...sets]);
    expect(latency?.map(({ level }) => level)).toEqual([undefined, 'memory', 'memory']);
  });

  test('a private cache whose end was not found serves no set for sure', () => {
    const endless = sweepSamples({ ...memory, bandwidths: [300e9], capacities: [] }, sweep);
    const sets = [chase(2 ** 16, 4e-9), chase(64 * mebi, 100e-9)];
    const { latency, bandwidth } = only([...ceilings, ...endless.map(asPrivate), ...sets]);
    expect(bandwidth[0]?.label).toBe('private cache');
    expect(latency?.map(({ level }) => level)).toEqual(['cache 1', 'memory']);
  });

  test('the interval holds the value', () => {
    const seconds = noisyTimes(1e-3, 0.05, 9, 3);
    const measured: Measured = { kind: 'latency', loads: 1000, workingSetSize: mebi };
    const [found] = only([...ceilings, sampleOf(measured, { seconds })]).latency ?? [];
    expect(found?.ciLow).toBeLessThan(found?.value ?? 0);
    expect(found?.ciHigh).toBeGreaterThan(found?.value ?? Infinity);
  });
});

describe('what workgroups have to themselves', () => {
  test('a private level that is faster than the shared ones is one more, by workgroup', () => {
    const { bandwidth } = only([...ceilings, ...privateSweep([300e9, 80e9])]);
    expect(bandwidth.map(({ label }) => label)).toEqual(['private cache', 'cache 1', 'memory']);
    expect(bandwidth[0]).not.toHaveProperty('capacityBytes');
    const { workgroupCapacityBytes = 0 } = bandwidth[0]!;
    expect(Math.abs(Math.log2(workgroupCapacityBytes / 2 ** 15))).toBeLessThan(0.5);
  });

  test('a private level as fast as a shared one is that one', () => {
    const { bandwidth } = only([...ceilings, ...privateSweep([85e9, 20e9])]);
    expect(bandwidth.map(({ label }) => label)).toEqual(['cache 1', 'memory']);
  });

  test('workgroup memory and loads of one address are ceilings of their own; memory stays last', () => {
    const { bandwidth } = only([
      ...ceilings,
      read({ space: 'workgroup', bytes: 1e10 }),
      read({ addresses: 'broadcast', bytes: 2e11 }),
    ]);
    expect(bandwidth.map(({ label, value }) => [label, Math.round(value / 1e9)])).toEqual([
      ['broadcast loads', 200],
      ['cache 1', 80],
      ['workgroup memory', 10],
      ['memory', 20],
    ]);
  });
});

describe('overheads, transfers, extras', () => {
  test('an overhead is the time of one, of the cheapest variant', () => {
    const { overheads } = only([...ceilings, overhead(1000, 'slow'), overhead(4000, 'fast')]);
    expect(overheads?.dispatch).toMatchObject({ value: 1 / 4000, unit: 's', variant: 'fast' });
    expect(overheads).not.toHaveProperty('submit');
  });

  test('the best size of each direction is told', () => {
    const { transfer } = only([
      ...ceilings,
      moved('upload', 1e6, 1e-3),
      moved('upload', 64e6, 8e-3),
      moved('upload', 256e6, 64e-3),
      moved('download', 1e6, 2e-3),
    ]);
    expect(transfer?.upload).toMatchObject({ size: 64e6 });
    expect((transfer?.upload?.value ?? NaN) / 8e9).toBeCloseTo(1, 9);
    expect((transfer?.download?.value ?? NaN) / 0.5e9).toBeCloseTo(1, 9);
  });

  test('extras keep their unit and are no ceilings', () => {
    const { extras, bandwidth } = only([
      ...ceilings,
      sampleOf({ kind: 'extra', of: 'atomics', amount: 1e9, unit: 'op' }),
      sampleOf({ kind: 'extra', of: 'gatherRandom', amount: 1e9, unit: 'byte', workingSetSize: 7 }),
    ]);
    expect(extras?.map(({ of, unit, workingSetSize }) => [of, unit, workingSetSize])).toEqual([
      ['atomics', 'op/s', undefined],
      ['gatherRandom', 'byte/s', 7],
    ]);
    expect(bandwidth).toHaveLength(2);
  });
});

describe('ridge points', () => {
  test('the roof comes first, and integers count operations', () => {
    const { ridge } = only([
      ...ceilings,
      sampleOf({ kind: 'compute', precision: 'i8', flops: 200e9 }),
      sampleOf({ kind: 'compute', precision: 'f16', flops: 100e9 }),
    ]);
    expect(ridge[0]).toMatchObject({ compute: 'compute.f32', bandwidth: 'bandwidth.memory' });
    expect(ridge).toHaveLength(6);
    expect(ridge.filter(({ unit }) => unit === 'op/byte').map(({ compute }) => compute)).toEqual([
      'compute.i8',
      'compute.i8',
    ]);
  });
});
