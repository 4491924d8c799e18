import { expect, test } from 'vitest';
import { largestBatch } from '../../../src/core/nn/memoryNeeds.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { defaultConfig, type RunConfig } from '../../../src/core/run/config.ts';
import type { RunEvent, StepTiming } from '../../../src/core/run/events.ts';
import { fashionShape } from '../../../src/core/nn/fashionMnist.ts';
import { median } from '../../../src/core/stats/median.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { GpuFault } from '../../../src/gpu/faults.ts';
import { GpuQueue } from '../../../src/gpu/queue.ts';
import { GpuTimer } from '../../../src/gpu/timer.ts';
import type { SweepPlan } from '../../../src/gpu/train/sweepPlan.ts';
import { trainingSweeps } from '../../../src/gpu/train/trainingSweeps.ts';

/** Small enough for a test; the page's tests run the real ones. */
const smallPlan: SweepPlan = {
  largestBatch: 2,
  softwareBatch: 2,
  assumedBatch: 2,
  pointBudget: { seconds: 0.1, mostSeconds: 60 },
  tuneSeconds: 0,
  modelSeconds: 120,
  callSeconds: 60,
  callsAt: 'working batch',
};

async function open(controller = new AbortController()) {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  const { device, environment, watch } = opened;
  const queue = new GpuQueue(device, watch, controller.signal);
  const timer = await GpuTimer.create(queue);
  const fractions: number[] = [];
  const run = async (
    plan: SweepPlan,
    sweeps: RunConfig['sweeps'],
    onStep: (step: StepTiming) => void,
  ) => {
    const context = {
      config: { ...defaultConfig, device: 'gpu' as const, sweeps },
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

test('batch and workgroups: every value on real steps, ends twice, calls at the working batch', async () => {
  const { device, run, fractions } = await open();
  const steps: StepTiming[] = [];
  await run(smallPlan, ['batch', 'workgroups', 'threads'], (step) => steps.push(step));
  device.destroy();

  const stepsOf = (parameter: StepTiming['parameter']) =>
    steps.filter((step) => step.parameter === parameter);
  const valuesOf = (parameter: StepTiming['parameter']) =>
    stepsOf(parameter).map(({ value }) => value);
  expect(steps).toHaveLength(stepsOf('batch').length + stepsOf('workgroups').length);
  // Both values, both again, and the larger for its calls.
  expect(valuesOf('batch')).toEqual([1, 2, 1, 2, 2]);
  const workgroups = valuesOf('workgroups');
  const [most = 0, ...others] = workgroups;
  // The largest number of tiles, whatever it is, every power of two below it, and both ends again.
  const powers = Array.from({ length: Math.ceil(Math.log2(most)) }, (_, power) => 2 ** power);
  expect(others.slice(0, -2).toSorted((a, b) => a - b)).toEqual(powers);
  expect(others.slice(-2)).toEqual([most, 1]);
  for (const step of steps) {
    expect(step).toMatchObject({ status: 'ok', device: 'gpu', model: 'resnet8', inputChannels: 1 });
    expect(step.seconds.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(step.coldSeconds, ...step.seconds)).toBeGreaterThan(0);
    expect(step.losses).toHaveLength(1 + step.seconds.length);
    if (step.parameter === 'workgroups') expect(step.workgroups).toBe(step.value);
    else expect(step.workgroups).toBeUndefined();
    expect(step.batch).toBe(step.parameter === 'batch' ? step.value : 2);
  }
  // Ten classes, untrained: about log(10).
  expect(steps[1]!.losses[0]).toBeGreaterThan(1.5);
  expect(steps[1]!.losses[0]).toBeLessThan(4);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);

  const timed = steps.filter(({ calls }) => calls !== undefined);
  expect(timed).toEqual([stepsOf('batch').at(-1)]);
  const [{ calls = [], seconds } = steps[0]!] = timed;
  const { ops } = trainingPlan('resnet8', 2, fashionShape);
  const done = calls.flatMap((call) => call.ops);
  expect([...new Set(done)]).toEqual(ops.map((_, index) => index));
  // Every call is a share of the step. Load moves the sum, but not past this.
  const sum = calls.reduce((total, call) => total + median(call.seconds), 0);
  expect(sum).toBeGreaterThan(0.2 * median(seconds));
  expect(sum).toBeLessThan(5 * median(seconds));
});

test('a whole step has the calls of each batch in the thorough profile, and other workgroup sizes', async () => {
  const { device, run } = await open();
  setLimits(device, { maxComputeInvocationsPerWorkgroup: 64 });
  const steps: StepTiming[] = [];
  const plan: SweepPlan = { ...smallPlan, largestBatch: 1, softwareBatch: 1, assumedBatch: 1 };
  await run({ ...plan, callsAt: 'every batch' }, ['batch', 'workgroupSize'], (step) =>
    steps.push(step),
  );
  device.destroy();
  const [first, ...others] = steps;
  expect(first).toMatchObject({ parameter: 'batch', value: 1, status: 'ok' });
  expect(first!.calls!.length).toBeGreaterThan(10);
  const sizes = others.map(({ parameter, value, workgroupSize, status }) => {
    expect(parameter).toBe('workgroupSize');
    expect(status).toBe('ok');
    expect(workgroupSize).toBe(value);
    return value;
  });
  // Both that the device allows, and both again.
  expect(sizes.toSorted((a, b) => a - b)).toEqual([32, 32, 64, 64]);
});

test('points that would take too long are skipped, each with its reason', async () => {
  const { device, run } = await open();
  const steps: StepTiming[] = [];
  const pointBudget = { seconds: 0.1, mostSeconds: 1e-6 };
  await run({ ...smallPlan, pointBudget }, ['batch', 'workgroups'], (step) => steps.push(step));
  device.destroy();
  expect(steps.length).toBeGreaterThan(4);
  for (const { parameter, status, reason, seconds } of steps) {
    expect(status).toBe('skipped');
    expect(reason).toMatch(/would take \d+\.\d s|was skipped already/);
    expect(reason).toMatch(/^three|^batch|^workgroups/);
    expect(['batch', 'workgroups']).toContain(parameter);
    expect(seconds).toEqual([]);
  }
  // The first one has to be tried before anything is known.
  expect(steps[0]!.coldSeconds).toBeGreaterThan(0);
  expect(steps[1]!.coldSeconds).toBe(0);
});

test('what the memory refuses is skipped with the largest batch that fits, and nothing beyond', async () => {
  const { device, run } = await open();
  let bufferSize = 2 ** 16;
  while (fittingBatch(bufferSize) < 1) bufferSize = Math.ceil(1.05 * bufferSize);
  const fits = fittingBatch(bufferSize);
  expect(fits).toBeLessThan(32);
  setLimits(device, { maxBufferSize: bufferSize });

  const steps: StepTiming[] = [];
  const plan: SweepPlan = { ...smallPlan, largestBatch: 32, callSeconds: 0 };
  await run(plan, ['batch'], (step) => steps.push(step));
  device.destroy();
  for (const { value, status } of steps) expect(status).toBe(value <= fits ? 'ok' : 'skipped');
  const refused = steps.find(({ status }) => status === 'skipped');
  expect(new Set(steps.map(({ value }) => value))).toEqual(new Set([1, 2, 4, 8, 16, 32]));
  expect(refused!.reason).toContain(`the largest batch that fits is ${fits}`);
  // The calls had no time.
  expect(steps.filter(({ calls }) => calls !== undefined)).toEqual([]);
});

function fittingBatch(bufferSize: number): number {
  return largestBatch('resnet8', fashionShape, { bufferSize });
}

/** Makes a device seem more limited than it is. */
function setLimits(device: GPUDevice, changed: Readonly<Record<string, number>>): void {
  const names = Object.keys(Object.getPrototypeOf(device.limits) as object);
  const granted = names.map((name) => [name, device.limits[name as keyof GPUSupportedLimits]]);
  const value = { ...(Object.fromEntries(granted) as object), ...changed };
  Object.defineProperty(device, 'limits', { value });
}

test('no time for a model: all that is not known is skipped', async () => {
  const { device, run } = await open();
  const steps: StepTiming[] = [];
  await run({ ...smallPlan, modelSeconds: 0 }, ['batch'], (step) => steps.push(step));
  device.destroy();
  expect(steps.map(({ value, reason }) => [value, reason])).toEqual([
    [1, 'the time for the sweep was spent'],
    [2, 'the time for the sweep was spent'],
  ]);
});

test('a cancel ends the sweeps within half a second and keeps the points before it', async () => {
  const controller = new AbortController();
  const { device, run } = await open(controller);
  const steps: StepTiming[] = [];
  let cancelledAt = Infinity;
  const running = run({ ...smallPlan, largestBatch: 32 }, ['batch'], (step) => {
    steps.push(step);
    if (Number.isFinite(cancelledAt)) return;
    cancelledAt = performance.now() + 300;
    setTimeout(() => {
      cancelledAt = performance.now();
      controller.abort(new Error('cancelled'));
    }, 300);
  });
  await expect(running).rejects.toThrow('cancelled');
  expect(performance.now() - cancelledAt).toBeLessThan(500);
  expect(steps[0]!.value).toBe(1);
  expect(steps.length).toBeLessThan(8);
  device.destroy();
});

test('a lost device ends the sweeps with its fault and keeps the points before it', async () => {
  const { device, run } = await open();
  const steps: StepTiming[] = [];
  const running = run(smallPlan, ['batch'], (step) => {
    steps.push(step);
    device.destroy();
  });
  const fault: unknown = await running.catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(GpuFault);
  // Firefox refuses what is done with a lost device before it tells of the loss.
  expect(['device-lost', 'validation']).toContain((fault as GpuFault).fault.kind);
  expect(steps).toHaveLength(1);
});
