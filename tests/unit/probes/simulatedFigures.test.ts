import { expect, test } from 'vitest';
import { extrasOf, overheadsOf } from '../../../src/core/roofline/figures.ts';
import { latencies } from '../../../src/core/roofline/latency.ts';
import { samplesOf } from '../../../src/core/roofline/rates.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { defaultConfig } from '../../../src/core/run/config.ts';
import type { GpuContext } from '../../../src/gpu/context.ts';
import type { TimedPass } from '../../../src/gpu/passes.ts';
import {
  atomicsEntrant,
  chaseEntrant,
  gatherEntrant,
} from '../../../src/gpu/probes/accessProbe.ts';
import type { ChasePipelines } from '../../../src/gpu/probes/accessKernels.ts';
import { barrierEntrant, dispatchEntrant } from '../../../src/gpu/probes/overheadProbe.ts';
import { runTrial, type Entrant } from '../../../src/gpu/probes/trial.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';

/** What a dispatch costs besides its work: a figure of long runs hardly holds it. */
const launchSeconds = 2e-6;

/** The samples of a probe on a device whose units of work take so long, which is known exactly. */
async function samplesOn(unitSeconds: number, entrant: Entrant): Promise<Sample[]> {
  const amounts = new WeakMap<TimedPass['record'], number>();
  const secondsOf = (record: TimedPass['record']) =>
    launchSeconds + (amounts.get(record) ?? 0) * unitSeconds;
  const samples: Sample[] = [];
  const context = {
    config: defaultConfig,
    environment: { deviceId: 'gpu-0' },
    emit: (event: { readonly sample: Sample }) => samples.push(event.sample),
    timer: {
      source: 'timestamp',
      passSeconds: (wanted: number) => wanted,
      pairs: (wanted: number) => wanted,
      roughSeconds: (record: TimedPass['record']) => Promise.resolve(secondsOf(record)),
      measure: (passes: readonly TimedPass[]) =>
        Promise.resolve({
          timer: 'timestamp',
          seconds: passes.map(({ record }) => secondsOf(record)),
          runs: passes.map(() => 1),
        }),
    },
  } as unknown as GpuContext;
  const create: Entrant['create'] = () =>
    Promise.resolve({
      record: (amount) => {
        const record = () => void amount;
        amounts.set(record, amount);
        return record;
      },
      clear: () => {},
      check: () => Promise.resolve({ kind: 'right', flags: [] }),
      destroy: () => {},
    });
  await runTrial(context, { ...entrant, create }, { seconds: 0.004, pairs: 3 });
  return samples;
}

const queue = {} as GpuQueue;
const source = { size: 2 ** 26 } as GPUBuffer;

test('loads of 100 ns are told as 100 ns', async () => {
  const chase = chaseEntrant(queue, 2 ** 26, source, {} as ChasePipelines);
  // 128 of them a trip.
  const samples = await samplesOn(128 * 100e-9, chase);
  const [found] = latencies(samplesOf(samples, 'latency'), []);
  expect(found!.value / 100e-9).toBeCloseTo(1, 2);
});

test.each(['strided', 'random'] as const)(
  '%s gathers of a word a nanosecond are told as 4 GB/s',
  async (order) => {
    // Each of 1,024 lanes loads four words a pass.
    const samples = await samplesOn(4 * 1024 * 1e-9, gatherEntrant(queue, source, order, 1024));
    const [found] = extrasOf(samplesOf(samples, 'extra'));
    expect(found!.value / 4e9).toBeCloseTo(1, 2);
    expect(found!.unit).toBe('byte/s');
  },
);

test('additions of 5 ns are told as 200 Mop/s', async () => {
  const samples = await samplesOn(16_384 * 5e-9, atomicsEntrant(queue, 16_384, 1));
  const [found] = extrasOf(samplesOf(samples, 'extra'));
  expect(found!.value / 200e6).toBeCloseTo(1, 2);
  expect(found!.unit).toBe('op/s');
});

test('dispatches of 10 us and barriers of 50 ns are told as such', async () => {
  const samples = [
    ...(await samplesOn(10e-6, dispatchEntrant({ queue }))),
    // Two barriers a trip.
    ...(await samplesOn(2 * 50e-9, barrierEntrant({ queue }))),
  ];
  const { dispatch, barrier } = overheadsOf(samplesOf(samples, 'overhead'));
  expect(dispatch!.value / 10e-6).toBeCloseTo(1, 2);
  expect(barrier!.value / 50e-9).toBeCloseTo(1, 2);
});
