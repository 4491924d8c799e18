import { afterAll, expect, test } from 'vitest';
import type { StepTiming } from '../../../src/core/run/events.ts';
import { defaultConfig } from '../../../src/core/run/config.ts';
import { trainingSweeps } from '../../../src/cpu/train/trainingSweeps.ts';
import { openPool } from '../../golden/cpu-threads.ts';

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
  // Ends are timed again, where there are two.
  expect(told).toHaveLength(8 + 3 * 2);
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
