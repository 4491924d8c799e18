import { describe, expect, test } from 'vitest';
import { attainable } from '../../../src/core/roofline/attainable.ts';
import { envelope } from '../../../src/core/roofline/bandwidth.ts';
import { flags } from '../../../src/core/roofline/flags.ts';
import { samplesOf } from '../../../src/core/roofline/rates.ts';
import { rooflines } from '../../../src/core/roofline/rooflines.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import type { Roofline } from '../../../src/core/roofline/types.ts';
import { computeSample, noisyTimes, sampleOf, sweepSamples } from './samples.ts';
import type { Sweep, SyntheticMemory } from './sweeps.ts';

const mebi = 2 ** 20;
const memory: SyntheticMemory = {
  bandwidths: [80e9, 20e9],
  capacities: [2 * mebi],
  transitionOctaves: 0.5,
  overheadSize: 0,
};
const sweep: Sweep = { smallest: 2 ** 14, largest: 128 * mebi, ratio: Math.SQRT2 };

function only(samples: readonly Sample[]): Roofline {
  const found = rooflines(samples);
  expect(found).toHaveLength(1);
  return found[0]!;
}

function slowFirstRepeat(sample: Sample): Sample {
  const [first = 0, ...others] = sample.seconds;
  return { ...sample, seconds: [first * 5, ...others] };
}

describe('compute ceilings', () => {
  test('the fastest variant by median wins, with its interval, timer and count', () => {
    const { compute } = only([
      computeSample(40e9, { variant: 'affine' }),
      computeSample(60e9, {
        variant: 'quadratic',
        seconds: [1, 0.99, 1.01, 1, 0.98, 1.02, 1],
        timer: 'wall-fit',
      }),
      computeSample(50e9, { variant: 'scalar' }),
    ]);
    expect(compute).toHaveLength(1);
    expect(compute[0]).toMatchObject({
      id: 'compute.f32',
      precision: 'f32',
      unit: 'flop/s',
      value: 60e9,
      ciLow: 60e9 / 1.02,
      ciHigh: 60e9 / 0.98,
      variant: 'quadratic',
      timer: 'wall-fit',
      samples: 7,
      flags: [],
    });
  });

  test('samples of one variant are pooled, whatever their amount of work', () => {
    const { compute } = only([
      computeSample(60e9, { seconds: [1, 1, 1] }),
      computeSample(120e9, { seconds: [2, 2, 2, 2] }),
    ]);
    expect(compute[0]).toMatchObject({ value: 60e9, samples: 7, flags: [] });
  });

  test('a lucky short trial does not beat a variant that was measured to its interval', () => {
    const { compute } = only([
      computeSample(61e9, { variant: 'trial', seconds: [1, 1] }),
      computeSample(60e9, { variant: 'measured' }),
    ]);
    expect(compute[0]!.variant).toBe('measured');
  });

  test('short trials alone still give a ceiling, flagged', () => {
    const { compute } = only([computeSample(61e9, { seconds: [1, 1] })]);
    expect(compute[0]).toMatchObject({ value: 61e9, samples: 2, flags: [flags.fewSamples] });
  });

  test('an interval that reaches further than 3 % is noisy', () => {
    const tight = only([computeSample(1e9, { seconds: [1, 0.98, 1.02, 1, 1, 1] })]);
    const wide = only([computeSample(1e9, { seconds: [1, 0.96, 1.04, 1, 1, 1] })]);
    expect(tight.compute[0]!.flags).not.toContain(flags.noisy);
    expect(wide.compute[0]!.flags).toContain(flags.noisy);
  });

  test('what the samples were flagged with stays on the ceiling', () => {
    const { compute } = only([computeSample(1e9, { flags: ['rounding unknown'] })]);
    expect(compute[0]!.flags).toEqual(['rounding unknown']);
  });

  test('one ceiling a precision, best first; integers count operations', () => {
    const { compute } = only([
      computeSample(50e9),
      sampleOf({ kind: 'compute', precision: 'f16', flops: 100e9 }),
      sampleOf({ kind: 'compute', precision: 'i32', flops: 20e9 }),
    ]);
    expect(compute.map(({ id, unit }) => [id, unit])).toEqual([
      ['compute.f16', 'flop/s'],
      ['compute.f32', 'flop/s'],
      ['compute.i32', 'op/s'],
    ]);
  });
});

describe('evidence', () => {
  test.each(['failed', 'unsupported', 'skipped'] as const)('a %s sample is none', (status) => {
    expect(rooflines([computeSample(1e15, { status, reason: 'refused' })])).toEqual([]);
    const { compute } = only([computeSample(50e9), computeSample(1e15, { status })]);
    expect(compute[0]!.value).toBe(50e9);
  });

  test.each([
    ['no times', []],
    ['a time of zero', [1, 0, 1]],
    ['a negative time', [1, -1, 1]],
    ['a time that is no number', [1, Number.NaN, 1]],
    ['an endless time', [1, Infinity, 1]],
  ])('an ok sample with %s is none', (_, seconds) => {
    expect(rooflines([computeSample(1e15, { seconds })])).toEqual([]);
  });

  test('an ok sample without work is none', () => {
    expect(rooflines([computeSample(0)])).toEqual([]);
  });
});

/** A sample whose six times give this rate exactly. */
function bandwidthSample(
  pattern: 'read' | 'copy',
  workingSetSize: number,
  bytesPerSecond: number,
): Sample {
  return sampleOf({ kind: 'bandwidth', pattern, bytes: bytesPerSecond, workingSetSize });
}

/** The same at a working set that is much smaller. */
function smaller(sample: Sample): Sample {
  const { measured } = sample;
  if (measured.kind !== 'bandwidth') return sample;
  const workingSetSize = measured.workingSetSize / 16;
  return { ...sample, measured: { ...measured, workingSetSize } };
}

describe('bandwidth ceilings', () => {
  test('levels of a GPU have neutral names, the last is memory', () => {
    const { bandwidth } = only(sweepSamples(memory, sweep, { noise: 0.01 }));
    expect(bandwidth.map(({ id, label, level }) => [id, label, level])).toEqual([
      ['bandwidth.cache1', 'cache 1', 'cache 1'],
      ['bandwidth.memory', 'memory', 'memory'],
    ]);
    expect(bandwidth[0]!.value / 80e9).toBeCloseTo(1, 1);
    expect(bandwidth[1]!.value / 20e9).toBeCloseTo(1, 1);
    expect(bandwidth[0]!.capacityBytes! / mebi).toBeGreaterThan(2 / 1.5);
    expect(bandwidth[0]!.capacityBytes! / mebi).toBeLessThan(2 * 1.5);
    expect(bandwidth[1]).not.toHaveProperty('capacityBytes');
  });

  test('levels of a CPU are L1, L2, L3', () => {
    const cpu = { device: 'cpu', deviceId: 'cpu', threads: 1, timer: 'clock' } as const;
    const four: SyntheticMemory = {
      ...memory,
      bandwidths: [400e9, 150e9, 60e9, 20e9],
      capacities: [48 * 1024, 1.25 * mebi, 24 * mebi],
    };
    const wide = { ...sweep, smallest: 4096, largest: 512 * mebi };
    const { bandwidth } = only(sweepSamples(four, wide, { noise: 0.01, change: cpu }));
    expect(bandwidth.map(({ id }) => id)).toEqual([
      'bandwidth.L1',
      'bandwidth.L2',
      'bandwidth.L3',
      'bandwidth.memory',
    ]);
    expect(bandwidth.every(({ threads }) => threads === 1)).toBe(true);
  });

  test("memory's roof is that of the last octave, as far from any cache as the sweep comes", () => {
    const sizes = [16, 32, 64, 90, 128].map((size) => size * mebi);
    // The set at the octave's beginning, where races are held, is not in it.
    const rates = [21.5e9, 21e9, 21e9, 20e9, 20e9];
    const slope = sizes.map((size, index) => bandwidthSample('copy', size, rates[index]!));
    const { bandwidth } = only([...slope, bandwidthSample('copy', 8 * mebi, 21.5e9)]);
    expect(bandwidth).toHaveLength(1);
    expect(bandwidth[0]).toMatchObject({ value: 20e9, samples: 12 });
    // Also where the far end lies too low for the plateau, and not low enough for one of its own.
    const end = [
      bandwidthSample('copy', 256 * mebi, 17e9),
      bandwidthSample('copy', 362 * mebi, 17e9),
    ];
    const longer = only([...slope, ...slope.map(smaller), ...end]).bandwidth;
    expect(longer).toHaveLength(1);
    expect(longer[0]).toMatchObject({ value: 17e9, samples: 12 });
  });

  test('a level takes its fastest pattern, which may be another on the next level', () => {
    const writes = { ...memory, bandwidths: [100e9, 10e9] };
    const { bandwidth } = only([
      ...sweepSamples(memory, sweep, { pattern: 'copy', noise: 0.01 }),
      ...sweepSamples(writes, sweep, { pattern: 'write', noise: 0.01 }),
      ...sweepSamples(memory, sweep, { pattern: 'triad', speed: 0.8, noise: 0.01 }),
    ]);
    expect(bandwidth.map(({ variant }) => variant)).toEqual(['write: plain', 'copy: plain']);
    expect(bandwidth[0]!.value / 100e9).toBeCloseTo(1, 1);
    expect(bandwidth[1]!.value / 20e9).toBeCloseTo(1, 1);
  });

  test('patterns need not share working sets: the envelope has no teeth', () => {
    const shifted = { ...sweep, smallest: sweep.smallest * 1.2 };
    const { bandwidth } = only([
      ...sweepSamples(memory, sweep, { pattern: 'copy' }),
      ...sweepSamples(memory, shifted, { pattern: 'read', speed: 0.4 }),
    ]);
    expect(bandwidth).toHaveLength(2);
    expect(bandwidth.every(({ variant }) => variant === 'copy: plain')).toBe(true);
  });

  test('curves are read off at the working sets of the longest one, straight in logarithms', () => {
    const samples = [
      ...[1, 4, 16, 64].map((size) => bandwidthSample('read', size, 10)),
      ...[2, 8, 32].map((size) => bandwidthSample('copy', size, 800 / size)),
    ].flatMap((sample) => samplesOf([sample], 'bandwidth'));
    const points = envelope(samples);
    expect(points.map(({ workingSetSize }) => workingSetSize)).toEqual([1, 4, 16, 64]);
    const rates = points.map(({ bytesPerSecond }) => bytesPerSecond);
    expect(rates[0]).toBe(10);
    expect(rates[1]).toBeCloseTo(200, 9);
    expect(rates[2]).toBeCloseTo(50, 9);
    expect(rates[3]).toBe(10);
  });

  test('a file of thirty thousand working sets does not hang', () => {
    const samples = sweepSamples(memory, { ...sweep, ratio: 1.0003 });
    expect(samples.length).toBeGreaterThan(30_000);
    // Without thinning this does not end within the test's time limit.
    expect(only(samples).bandwidth).toHaveLength(2);
  });

  test('a variant tried at one working set is no roof of the whole level', () => {
    const [stray] = sweepSamples(memory, { ...sweep, smallest: 32 * mebi, largest: 33 * mebi });
    const { bandwidth } = only([
      ...sweepSamples(memory, sweep),
      { ...stray!, variant: 'stray', seconds: stray!.seconds.map((time) => time / 1.1) },
    ]);
    expect(bandwidth.at(-1)!.variant).toBe('copy: plain');
  });

  test('a sweep that the buffer limit stopped marks its last level', () => {
    const samples = sweepSamples(memory, sweep);
    const last = samples[samples.length - 1]!;
    const stopped = [...samples.slice(0, -1), { ...last, flags: [flags.bufferLimit] }];
    const { bandwidth } = only(stopped);
    expect(bandwidth[1]!.flags).toContain(flags.possiblyCacheResident);
    expect(bandwidth[0]!.flags).not.toContain(flags.possiblyCacheResident);
    expect(bandwidth[1]!.flags).not.toContain(flags.bufferLimit);
    expect(only(samples).bandwidth[1]!.flags).not.toContain(flags.possiblyCacheResident);
  });

  test('a sweep that ended while bandwidth fell says so', () => {
    const short = { ...sweep, largest: 3.9 * mebi };
    const slow = { ...memory, transitionOctaves: 3 };
    const { bandwidth } = only(sweepSamples(slow, short));
    expect(bandwidth).toHaveLength(2);
    expect(bandwidth[1]!.flags).toContain(flags.stillFalling);
    expect(only(sweepSamples(memory, sweep)).bandwidth[1]!.flags).toEqual([]);
  });

  test('the value is robust to one slow repeat in each working set', () => {
    const spoiled = sweepSamples(memory, sweep).map(slowFirstRepeat);
    expect(only(spoiled).bandwidth[1]!.value / 20e9).toBeCloseTo(1, 1);
  });
});

describe('rooflines', () => {
  const cpu = { device: 'cpu', deviceId: 'cpu', timer: 'clock' } as const;

  test('one a device, and on the CPU one a thread count, fewest first', () => {
    const found = rooflines([
      computeSample(90e9, { ...cpu, threads: 2 }),
      computeSample(50e9, { ...cpu, threads: 1 }),
      computeSample(60e9),
    ]);
    expect(found.map(({ device, threads }) => [device, threads])).toEqual([
      ['gpu', undefined],
      ['cpu', 1],
      ['cpu', 2],
    ]);
    expect(found[2]!.compute[0]).toMatchObject({ value: 90e9, threads: 2 });
  });

  test('a ridge for every pair of ceilings, the roof first', () => {
    const { ridge } = only([computeSample(60e9), ...sweepSamples(memory, sweep)]);
    expect(ridge.map(({ compute, bandwidth }) => [compute, bandwidth])).toEqual([
      ['compute.f32', 'bandwidth.memory'],
      ['compute.f32', 'bandwidth.cache1'],
    ]);
    expect(ridge[0]!.intensity).toBeCloseTo(3, 1);
  });

  test('attainable is the lower of the two roofs and meets at the ridge', () => {
    const roofline = only([computeSample(60e9), ...sweepSamples(memory, sweep)]);
    const ridge = roofline.ridge[0]!.intensity;
    expect(attainable(roofline, ridge / 2)!).toBeCloseTo(30e9, -3);
    expect(attainable(roofline, ridge)!).toBeCloseTo(60e9, -3);
    expect(attainable(roofline, ridge * 4)).toBe(60e9);
    expect(attainable(roofline, ridge, 'f16')).toBeUndefined();
    expect(attainable(only([computeSample(60e9)]), 1)).toBeUndefined();
  });

  test('no samples, no rooflines', () => {
    expect(rooflines([])).toEqual([]);
  });

  test('noise of 3 % a repeat leaves ceilings within 3 %, over a hundred seeds', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { compute, bandwidth } = only([
        computeSample(60e9, { seconds: noisyTimes(1, 0.03, 30, seed) }),
        ...sweepSamples(memory, sweep, { noise: 0.03, seed: seed * 1000 }),
      ]);
      expect(bandwidth).toHaveLength(2);
      expect(Math.abs(compute[0]!.value / 60e9 - 1)).toBeLessThan(0.03);
      expect(Math.abs(bandwidth[1]!.value / 20e9 - 1)).toBeLessThan(0.03);
    }
  });
});
