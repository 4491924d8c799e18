import { afterAll, expect, onTestFinished, test } from 'vitest';
import { largestBatch } from '../../../src/core/nn/memoryNeeds.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { fashionShape } from '../../../src/core/nn/fashionMnist.ts';
import type { StepTiming } from '../../../src/core/run/events.ts';
import { median } from '../../../src/core/stats/median.ts';
import type { SweepPlan } from '../../../src/gpu/train/sweepPlan.ts';
import { SharedDevice } from '../sharedDevice.ts';
import { openSweeps, smallPlan } from './sweepHarness.ts';

const shared = new SharedDevice();
afterAll(() => shared.lose());

const open = (controller?: AbortController) => openSweeps(shared, controller);

function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

test('batch and workgroups: every value on real steps, twice, calls at the working batch', async () => {
  const { run, fractions } = await open();
  const steps: StepTiming[] = [];
  // Nothing was told before: the kernels are those that the sweeps choose themselves.
  await run(smallPlan, ['batch', 'workgroups', 'threads'], (step) => steps.push(step), []);

  const stepsOf = (parameter: StepTiming['parameter']) =>
    steps.filter((step) => step.parameter === parameter);
  const valuesOf = (parameter: StepTiming['parameter']) =>
    stepsOf(parameter).map(({ value }) => value);
  expect(steps).toHaveLength(stepsOf('batch').length + stepsOf('workgroups').length);
  // Both values, both again, and the larger for its calls.
  const batches = valuesOf('batch');
  expect(batches.slice(0, 2)).toEqual([1, 2]);
  expect(sorted(batches.slice(2, 4))).toEqual([1, 2]);
  expect(batches.slice(4)).toEqual([2]);
  const workgroups = valuesOf('workgroups');
  const [most = 0] = workgroups;
  // The largest number of tiles, whatever it is, and every power of two below it, both rounds.
  const powers = Array.from({ length: Math.ceil(Math.log2(most)) }, (_, power) => 2 ** power);
  const half = workgroups.length / 2;
  for (const round of [workgroups.slice(0, half), workgroups.slice(half)])
    expect(sorted(round)).toEqual([...powers, most]);
  const timedBefore = new Set<string>();
  for (const step of steps) {
    expect(step).toMatchObject({ status: 'ok', device: 'gpu', model: 'resnet8', inputChannels: 1 });
    const key = `${step.parameter} ${step.value}`;
    expect(step.seconds.length).toBeGreaterThanOrEqual(timedBefore.has(key) ? 2 : 3);
    timedBefore.add(key);
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
  expect([...new Set(done)].toSorted((a, b) => a - b)).toEqual(ops.map((_, index) => index));
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
  const { run } = await open();
  const steps: StepTiming[] = [];
  const pointBudget = { ...smallPlan.pointBudget, mostSeconds: 1e-6 };
  await run({ ...smallPlan, pointBudget }, ['batch', 'workgroups'], (step) => steps.push(step));
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

/** Makes a device seem more limited than it is, until the test ends. */
function setLimits(device: GPUDevice, changed: Readonly<Record<string, number>>): void {
  const names = Object.keys(Object.getPrototypeOf(device.limits) as object);
  const granted = names.map((name) => [name, device.limits[name as keyof GPUSupportedLimits]]);
  const value = { ...(Object.fromEntries(granted) as object), ...changed };
  Object.defineProperty(device, 'limits', { value, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(device, 'limits');
  });
}

test('no time for a model: all that is not known is skipped', async () => {
  const { run } = await open();
  const steps: StepTiming[] = [];
  await run({ ...smallPlan, modelSeconds: 0 }, ['batch'], (step) => steps.push(step));
  expect(steps.map(({ value, reason }) => [value, reason])).toEqual([
    [1, 'the time for the sweep was spent'],
    [2, 'the time for the sweep was spent'],
  ]);
});

test('tuning tells what kernels, a configuration and both together bring, from steps taken in turn', async () => {
  const { tune, fractions } = await open();
  const tunings = await tune({
    ...smallPlan,
    softwareBatch: 1,
    pointBudget: { seconds: 0.05, mostSeconds: 60, visits: 1 },
    searchSeconds: 1,
    variantSeconds: 0.5,
  });
  expect(tunings.map(({ scope }) => scope)).toEqual(['kernels', 'configuration', 'together']);
  for (const { batch, tuned, defaultSeconds, tunedSeconds } of tunings) {
    expect(batch).toBe(1);
    if (tuned !== undefined) expect([1, 2]).toContain(tuned.batch);
    // At least three warm steps in each of three rounds.
    for (const seconds of [defaultSeconds, tunedSeconds]) {
      expect(seconds.length).toBeGreaterThanOrEqual(9);
      expect(Math.min(...seconds)).toBeGreaterThan(0);
    }
  }
  const [kernels, configuration, together] = tunings;
  expect(kernels!.tuned).toBeUndefined();
  expect(kernels!.choices.length).toBeGreaterThan(0);
  expect(configuration!.choices).toEqual([]);
  expect(together!.tuned).toEqual(configuration!.tuned);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
});

test('a cancel ends the sweeps within half a second and keeps the points before it', async () => {
  const controller = new AbortController();
  const { run } = await open(controller);
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
});
