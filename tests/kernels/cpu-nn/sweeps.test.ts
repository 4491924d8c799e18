import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { StepTiming } from '../../../src/core/run/events.ts';
import { defaultConfig } from '../../../src/core/run/config.ts';
import { trainingSweeps } from '../../../src/cpu/train/trainingSweeps.ts';
import { Pool, type ThreadWorker } from '../../../src/cpu/pool.ts';
import { openPool, spawnThread } from '../../golden/cpu-threads.ts';

const pool = await openPool(2, 'simd', false);
afterAll(() => pool.terminate());

test('without shared memory one process has one thread, and replicas train by messages', async () => {
  const steps: StepTiming[] = [];
  await trainingSweeps({
    pool,
    cores: 2,
    config: { ...defaultConfig, sweeps: ['threads', 'replicas'] },
    clock: { clockSpanSeconds: 0, clockStepSeconds: 1e-6 },
    tell: (step) => steps.push(step),
    advance: () => {},
  });
  const told = steps.map(({ parameter, value, batch, scaling }) => [
    parameter,
    value,
    batch,
    scaling,
  ]);
  // Where there are two values both twice at the least, and more often where steps differ.
  expect(told.length).toBeGreaterThanOrEqual(2 + 2 * 6);
  expect(told.length).toBeLessThanOrEqual(2 + 4 * 6);
  const points = [...new Map(told.map((point) => [JSON.stringify(point), point])).values()];
  expect(points).toEqual([
    ['threads', 1, 32, undefined],
    ['threads', 1, 8, undefined],
    ['replicas', 1, 32, 'strong'],
    ['replicas', 2, 32, 'strong'],
    ['replicas', 1, 8, 'strong'],
    ['replicas', 2, 8, 'strong'],
    ['replicas', 1, 16, 'weak'],
    ['replicas', 2, 32, 'weak'],
  ]);
  for (const { value, status, threads, seconds, losses, allReduceSeconds } of steps) {
    expect(status).toBe('ok');
    expect(threads).toBe(1);
    expect(losses.every((loss) => loss > 0 && loss < 10)).toBe(true);
    expect(allReduceSeconds?.length).toBe(value === 1 ? undefined : seconds.length);
    for (const [at, waiting] of (allReduceSeconds ?? []).entries()) {
      expect(waiting).toBeGreaterThan(0);
      expect(waiting).toBeLessThan(seconds[at]!);
    }
  }
});

/** A thread that gets no memory for more than so many images. */
function smallThread(mostImages: number): ThreadWorker {
  const worker = spawnThread();
  const client = new Proxy(worker.client, {
    get: (target, key) => {
      if (key !== 'joinTraining') return Reflect.get(target, key) as unknown;
      return (place: Parameters<typeof target.joinTraining>[0]) =>
        place.plan.batch > mostImages ? Promise.resolve(false) : target.joinTraining(place);
    },
  });
  return { ...worker, client };
}

test('a batch whose memory is refused is skipped with the reason, and the others are timed', async () => {
  const { signal } = new AbortController();
  const small = new Pool([smallThread(8)], pool.module, false, signal);
  onTestFinished(() => small.terminate());
  const steps: StepTiming[] = [];
  await trainingSweeps({
    pool: small,
    cores: 1,
    config: { ...defaultConfig, sweeps: ['batch'] },
    clock: { clockSpanSeconds: 0, clockStepSeconds: 1e-6 },
    tell: (step) => steps.push(step),
    advance: () => {},
  });
  expect(new Set(steps.map(({ value }) => value))).toEqual(new Set([1, 2, 4, 8, 16, 32]));
  for (const { value, status, reason } of steps)
    if (value <= 8) expect(status).toBe('ok');
    else {
      expect(status).toBe('skipped');
      expect(reason).toMatch(/bytes were refused|was skipped already/);
    }
});
