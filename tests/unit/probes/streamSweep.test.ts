import { expect, test } from 'vitest';
import { streamOpenings, type StreamPattern } from '../../../src/core/probes/streamVariant.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { defaultConfig } from '../../../src/core/run/config.ts';
import type { GpuContext } from '../../../src/gpu/context.ts';
import type { TimedPass } from '../../../src/gpu/passes.ts';
import { measureLast } from '../../../src/gpu/probes/streamFinal.ts';
import type { RaceResult } from '../../../src/gpu/probes/streamRace.ts';
import { sweepStreams } from '../../../src/gpu/probes/streamSweep.ts';
import type { StreamTrials } from '../../../src/gpu/probes/streamTrials.ts';

const mebi = 2 ** 20;
const patterns: readonly StreamPattern[] = ['copy', 'read', 'write', 'triad'];
/** byte/s; writes are the fastest of all past the caches, reads within them, triads never and too slow. */
const cacheRates = { copy: 20e9, read: 22e9, write: 19e9, triad: 5e9 };
const memoryRates = { copy: 10e9, read: 6e9, write: 11e9, triad: 5e9 };

/** A device whose passes take what its rates say, and what it was told to measure. */
class SimulatedMemory {
  readonly samples: Sample[] = [];
  readonly #seconds = new WeakMap<TimedPass['record'], number>();

  readonly context = {
    config: defaultConfig,
    environment: { deviceId: 'gpu-0' },
    emit: (event: { readonly kind: string; readonly sample: Sample }) => {
      if (event.kind === 'sample') this.samples.push(event.sample);
    },
    timer: {
      source: 'timestamp',
      passSeconds: (wanted: number) => wanted,
      pairs: (wanted: number) => wanted,
      roughSeconds: (record: TimedPass['record']) => Promise.resolve(this.#of(record)),
      measure: (passes: readonly TimedPass[]) =>
        Promise.resolve({
          timer: 'timestamp',
          seconds: passes.map(({ record }) => this.#of(record)),
          runs: passes.map(() => 1),
        }),
    },
  } as unknown as GpuContext;

  readonly trials = {
    largest: 128 * mebi,
    trial: (
      { pattern, unroll }: { readonly pattern: StreamPattern; unroll: number },
      set: number,
    ) => {
      const rates = set < 8 * mebi ? cacheRates : memoryRates;
      // The second shape of a race is a little slower.
      const rate = rates[pattern] / (unroll === 1 ? 1 : 1.1);
      return {
        workingSet: set,
        entrant: {
          probe: pattern,
          variant: `${unroll} in flight`,
          measured: (passes: number) => ({
            kind: 'bandwidth',
            pattern,
            bytes: passes * set,
            workingSetSize: set,
          }),
          create: () =>
            Promise.resolve({
              record: (passes: number) => {
                const record = () => void passes;
                this.#seconds.set(record, (passes * set) / rate);
                return record;
              },
              clear: () => {},
              check: () => Promise.resolve({ kind: 'right', flags: [] }),
              destroy: () => {},
            }),
        },
      };
    },
  } as unknown as StreamTrials;

  #of(record: TimedPass['record']): number {
    return this.#seconds.get(record) ?? 0;
  }
}

const races = patterns.map((pattern): RaceResult => {
  const [variant] = streamOpenings(pattern);
  const first = { variant, lanes: 1024 };
  return [first, { ...first, variant: { ...variant, unroll: 2 } }];
});

const plan = {
  ratio: 2,
  sampleSeconds: 0.02,
  sweepSeconds: 60,
  passSeconds: 0.022,
  isLimited: false,
};

test('every working set has the patterns that may be the fastest there, and the last one its finals', async () => {
  const { context, trials, samples } = new SimulatedMemory();
  const end = await sweepStreams(context, trials, races, plan, () => {});
  const at = (set: number) =>
    samples
      .filter(({ measured }) => measured.kind === 'bandwidth' && measured.workingSetSize === set)
      .map(({ probe }) => probe);
  // From the last set on every fourth has all of them.
  expect(at(8 * mebi)).toEqual(patterns);
  // A pass of the others over the largest would take too long.
  expect(at(128 * mebi)).toEqual(['copy', 'write']);
  expect(at(32 * mebi)).toEqual(['copy', 'write']);
  expect(at(64 * 2 ** 10)).toEqual(['copy', 'read', 'write']);
  expect(end?.set).toBe(128 * mebi);
  expect(end?.ranked.map(({ race: [{ variant }] }) => variant.pattern)).toEqual(['write', 'copy']);

  samples.length = 0;
  await measureLast(context, trials, end!, 1);
  expect(samples.map(({ probe, variant }) => `${probe}, ${variant}`)).toEqual([
    'write, 1 in flight',
    'write, 2 in flight',
    'copy, 1 in flight',
    'copy, 2 in flight',
    'write, 1 in flight',
    'write, 2 in flight',
  ]);
  expect(samples.every(({ status }) => status === 'ok')).toBe(true);
});
