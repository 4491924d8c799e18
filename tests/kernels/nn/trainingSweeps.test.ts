import { expect, test } from 'vitest';
import { defaultConfig } from '../../../src/core/run/config.ts';
import type { RunEvent, StepTiming } from '../../../src/core/run/events.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { GpuFault } from '../../../src/gpu/faults.ts';
import { GpuQueue } from '../../../src/gpu/queue.ts';
import { GpuTimer } from '../../../src/gpu/timer.ts';
import { trainingSweeps, type SweepPlan } from '../../../src/gpu/train/trainingSweeps.ts';

/** Small enough for a test; the page's tests run the real ones. */
const smallPlan: SweepPlan = {
  batches: [1, 3],
  workgroupsBatch: 2,
  pointBudget: { seconds: 0.2, mostSeconds: 60 },
  tuneSeconds: 0,
  mostSeconds: 120,
};

async function open(controller = new AbortController()) {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  const { device, environment, watch } = opened;
  const queue = new GpuQueue(device, watch, controller.signal);
  const timer = await GpuTimer.create(queue);
  const fractions: number[] = [];
  const run = async (plan: SweepPlan, onStep: (step: StepTiming) => void) => {
    const context = {
      config: { ...defaultConfig, device: 'gpu' as const },
      environment: { ...environment, timer: timer.source },
      queue,
      timer,
      emit: (event: RunEvent) => {
        if (event.kind === 'step') onStep(event.step);
      },
      progress: (_: string, fraction: number) => fractions.push(fraction),
    };
    await trainingSweeps(context, plan);
  };
  return { device, run, fractions };
}

test('both sweeps time every point on real steps', async () => {
  const { device, run, fractions } = await open();
  const steps: StepTiming[] = [];
  await run(smallPlan, (step) => steps.push(step));
  device.destroy();

  const valuesOf = (parameter: StepTiming['parameter']) =>
    steps.filter((step) => step.parameter === parameter).map(({ value }) => value);
  expect(valuesOf('batch')).toEqual([1, 3]);
  const workgroups = valuesOf('workgroups');
  // From the largest number of tiles, whatever it is, by powers of two down to one.
  expect(workgroups.length).toBeGreaterThan(2);
  expect(workgroups.slice(1)).toEqual(
    workgroups.slice(1).map((_, index, { length }) => 2 ** (length - 1 - index)),
  );
  expect(workgroups[0]).toBeGreaterThan(workgroups[1]!);
  expect(workgroups[0]).toBeLessThanOrEqual(2 * workgroups[1]!);
  for (const step of steps) {
    expect(step).toMatchObject({ status: 'ok', device: 'gpu', model: 'resnet8', inputChannels: 1 });
    expect(step.seconds.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(step.coldSeconds, ...step.seconds)).toBeGreaterThan(0);
    expect(step.losses).toHaveLength(1 + step.seconds.length);
    if (step.parameter === 'workgroups') expect(step.workgroups).toBe(step.value);
    else expect(step.workgroups).toBeUndefined();
  }
  // Ten classes, untrained: about log(10).
  expect(steps[1]!.losses[0]).toBeGreaterThan(1.5);
  expect(steps[1]!.losses[0]).toBeLessThan(4);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);
});

test('points that would take too long are skipped, each with its reason', async () => {
  const { device, run } = await open();
  const steps: StepTiming[] = [];
  const pointBudget = { seconds: 0.1, mostSeconds: 1e-6 };
  await run({ ...smallPlan, pointBudget }, (step) => steps.push(step));
  device.destroy();
  expect(steps.length).toBeGreaterThan(4);
  for (const { status, reason, seconds } of steps) {
    expect(status).toBe('skipped');
    expect(reason).toMatch(/would take \d+\.\d s/);
    expect(seconds).toEqual([]);
  }
  // The first one has to be tried before anything is known.
  expect(steps[0]!.coldSeconds).toBeGreaterThan(0);
  expect(steps[1]!.coldSeconds).toBe(0);
});

test('a cancel ends the sweeps within half a second and keeps the points before it', async () => {
  const controller = new AbortController();
  const { device, run } = await open(controller);
  const steps: StepTiming[] = [];
  let cancelledAt = Infinity;
  const running = run({ ...smallPlan, batches: [1, 32] }, (step) => {
    steps.push(step);
    setTimeout(() => {
      cancelledAt = performance.now();
      controller.abort(new Error('cancelled'));
    }, 300);
  });
  await expect(running).rejects.toThrow('cancelled');
  expect(performance.now() - cancelledAt).toBeLessThan(500);
  expect(steps.map(({ value }) => value)).toEqual([1]);
  device.destroy();
});

test('a lost device ends the sweeps with its fault and keeps the points before it', async () => {
  const { device, run } = await open();
  const steps: StepTiming[] = [];
  const running = run(smallPlan, (step) => {
    steps.push(step);
    device.destroy();
  });
  const fault: unknown = await running.catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(GpuFault);
  // Firefox refuses what is done with a lost device before it tells of the loss.
  expect(['device-lost', 'validation']).toContain((fault as GpuFault).fault.kind);
  expect(steps).toHaveLength(1);
});
