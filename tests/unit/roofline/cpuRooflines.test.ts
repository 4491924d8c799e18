import { describe, expect, test } from 'vitest';
import { flags } from '../../../src/core/roofline/flags.ts';
import { rooflines } from '../../../src/core/roofline/rooflines.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import type { Ceiling } from '../../../src/core/roofline/types.ts';
import { noisyTimes, sampleOf, sweepSamples } from './samples.ts';
import type { Sweep, SyntheticMemory } from './sweeps.ts';

const kibi = 2 ** 10;
const mebi = 2 ** 20;
const sweep: Sweep = { smallest: 4 * kibi, largest: 512 * mebi, ratio: 1.19 };
const capacities = [48 * kibi, mebi, 32 * mebi];
/** L1 and L2 only 1.12 apart, as in 128-bit triads. */
const memory: SyntheticMemory = {
  bandwidths: [160e9, 143e9, 86e9, 38e9],
  capacities,
  transitionOctaves: 0.5,
  overheadSize: 0,
};

function onCpu(threads: number): Partial<Sample> {
  return { device: 'cpu', deviceId: 'cpu', timer: 'clock', threads };
}

/** A chase whose latency rises where the memory's levels end, scaled to so many threads. */
function chase(threads: number, ratio = sweep.ratio, edges = capacities): Sample[] {
  const seconds = [1e-9, 3e-9, 12e-9, 90e-9];
  const samples: Sample[] = [];
  for (let size = 4 * kibi; size <= 128 * mebi; size *= ratio) {
    const level = edges.filter((capacity) => size > capacity).length;
    const measured = { kind: 'latency', loads: 1, workingSetSize: size } as const;
    samples.push(
      sampleOf(measured, {
        ...onCpu(threads),
        seconds: noisyTimes(seconds[level]!, 0.03, 6, samples.length + 1),
      }),
    );
  }
  return samples;
}

function bandwidthOf(samples: readonly Sample[]): readonly Ceiling[] {
  return rooflines(samples)[0]!.bandwidth;
}

function memoryFlags(samples: readonly Sample[], threads: number): readonly string[] {
  return rooflines(samples)
    .find((roofline) => roofline.threads === threads)!
    .bandwidth.at(-1)!.flags;
}

describe('levels of a CPU', () => {
  const swept = sweepSamples(memory, sweep, { noise: 0.03, change: onCpu(1) });

  test('bandwidth alone does not tell the first two caches apart', () => {
    expect(bandwidthOf(swept).map(({ label }) => label)).toEqual(['L2', 'L3', 'memory']);
  });

  test('the chase does, and gives their capacities within a factor 2', () => {
    const found = bandwidthOf([...swept, ...chase(1)]);
    expect(found.map(({ label }) => label)).toEqual(['L1', 'L2', 'L3', 'memory']);
    for (const [index, capacity] of capacities.entries()) {
      const share = found[index]!.capacityBytes! / capacity;
      expect(share).toBeGreaterThan(1 / 2);
      expect(share).toBeLessThan(2);
    }
  });

  test('a chase that leaves the last cache early is no further level', () => {
    const early = [capacities[1]!, capacities[2]! / 4];
    const found = bandwidthOf([...swept, ...chase(1, sweep.ratio, early)]);
    expect(found.map(({ label }) => label)).toEqual(['L2', 'L3', 'memory']);
    expect(found[1]!.capacityBytes! / capacities[2]!).toBeGreaterThan(0.6);
  });

  test('a file of thousands of chases does not hang', () => {
    const found = bandwidthOf([...swept, ...chase(1, 1.0005)]);
    expect(found.at(-1)!.label).toBe('memory');
  });
});

describe('memory of many threads', () => {
  const alone = sweepSamples(memory, sweep, { change: onCpu(1) });
  /** Two threads whose sweep met nothing slower than `slowest`. */
  const together = (slowest: number) =>
    sweepSamples({ ...memory, bandwidths: [320e9, 286e9, 172e9, slowest] }, sweep, {
      change: onCpu(2),
    });

  test('within what so many single threads get it stands', () => {
    expect(memoryFlags([...alone, ...together(70e9)], 2)).toEqual([]);
  });

  test('beyond that it may be a cache, and says so', () => {
    expect(memoryFlags([...alone, ...together(172e9)], 2)).toContain(flags.possiblyCacheResident);
    expect(memoryFlags([...alone, ...together(172e9)], 1)).toEqual([]);
  });

  test('without one thread nothing can be said', () => {
    expect(memoryFlags(together(172e9), 2)).toEqual([]);
  });
});

/** An f32 ceiling of two threads, measured so many times. */
function settled(probe: string, flops: number, repeats: number): Sample {
  return sampleOf(
    { kind: 'compute', precision: 'f32', flops },
    {
      ...onCpu(2),
      probe,
      variant: probe,
      seconds: Array.from({ length: repeats }, () => 1),
    },
  );
}

test('a side show that took more repeats to settle is not taken for the roof', () => {
  const [roofline] = rooflines([
    settled('fma', 132e9, 16),
    settled('multiply+add', 123e9, 6),
    settled('scalar multiply+add', 31e9, 40),
  ]);
  expect(roofline!.compute[0]).toMatchObject({ value: 132e9, variant: 'fma' });
});
