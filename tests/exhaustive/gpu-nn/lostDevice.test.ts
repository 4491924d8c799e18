import { afterAll, expect, test } from 'vitest';
import type { RunEvent, StepTiming } from '../../../src/core/run/events.ts';
import { GpuFault } from '../../../src/gpu/faults.ts';
import { openSweeps, smallPlan } from '../../kernels/nn/sweepHarness.ts';
import { SharedDevice } from '../../kernels/sharedDevice.ts';

const shared = new SharedDevice();
afterAll(() => shared.lose());

test('a lost device ends the sweeps with its fault, and on another one they go on where they stopped', async () => {
  const { run } = await openSweeps(shared);
  const steps: StepTiming[] = [];
  const running = run(smallPlan, ['batch'], (step) => {
    steps.push(step);
    void shared.lose();
  });
  const fault: unknown = await running.catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(GpuFault);
  // Firefox refuses what is done with a lost device before it tells of the loss.
  expect(['device-lost', 'validation']).toContain((fault as GpuFault).fault.kind);
  const [good, ...others] = steps;
  expect(good).toMatchObject({ value: 1, status: 'ok' });
  for (const step of others) expect(step).toMatchObject({ value: 2, status: 'failed' });

  const again = await openSweeps(shared);
  const rest: StepTiming[] = [];
  const told = steps.map((step): RunEvent => ({ kind: 'step', step }));
  await again.run(smallPlan, ['batch'], (step) => rest.push(step), told);
  // The value that was not measured, both again in any order, and the calls.
  expect(rest.every(({ status }) => status === 'ok')).toBe(true);
  const [missing, ...repeated] = rest.map(({ value }) => value);
  expect(missing).toBe(2);
  expect(repeated.slice(0, 2).toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(repeated.slice(2)).toEqual([2]);
});
