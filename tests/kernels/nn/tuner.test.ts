import { expect, test } from 'vitest';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import {
  chosenVariant,
  convKey,
  convVariants,
  isConv,
  variantName,
} from '../../../src/gpu/kernels/convVariants.ts';
import { softwareEvidence } from '../../../src/gpu/device.ts';
import { GpuTrainer } from '../../../src/gpu/train/gpuTrainer.ts';
import { chooseVariants, tunePlan } from '../../../src/gpu/train/tuner.ts';
import { timestampTimer } from '../timestampTimer.ts';
import { openKernels } from './opHarness.ts';

const { queue, kernels } = await openKernels();
const timer = await timestampTimer(queue);
const plan = trainingPlan('resnet8', 2, { height: 9, width: 10, channels: 1 });
const convolutions = plan.ops.filter(isConv);

test('within its budget the tuner chooses variants that exist, heaviest shapes first', async () => {
  const { choices, found, defaultSeconds, tunedSeconds } = await tunePlan(queue, timer, plan, {
    kernels,
    seconds: 1,
  });
  const support = await kernels.support();
  expect(found.length).toBeGreaterThan(0);
  for (const { key, variant, defaultVariant, seconds, defaultSeconds: before } of found) {
    const op = convolutions.find((candidate) => convKey(candidate) === key)!;
    const names = convVariants(op, support).map(variantName);
    expect(names).toContain(variant);
    expect(names[0]).toBe(defaultVariant);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(before);
    expect(choices[key]).toBe(variant);
  }
  for (const times of [defaultSeconds, tunedSeconds])
    for (const seconds of times) expect(seconds).toBeGreaterThan(0);

  const earlier = found.map((choice) => Object.assign({ foundAt: '2026-01-31T12:00:00Z' }, choice));
  const again = (kept: typeof earlier) =>
    chooseVariants(queue, timer, plan, { kernels, seconds: 0, earlier: kept });
  expect(await again(earlier), 'a later run starts from them').toEqual(earlier);
  const [first, ...others] = earlier;
  const gone = { ...first!, variant: 'of an earlier version' };
  expect(await again([gone, ...others])).toEqual(others);
});

test('a choice that a device cannot have gives the default', async () => {
  const support = await kernels.support();
  for (const op of convolutions) {
    const variants = convVariants(op, support);
    const choose = (name: string) => chosenVariant(op, support, { [convKey(op)]: name });
    expect(choose('no such variant')).toEqual(variants[0]);
    expect(variantName(choose('matrix 8x8'))).toBe('matrix 8x8');
  }
});

test('strips are the default on software adapters alone', async () => {
  const { quads, software } = await kernels.support();
  const adapter = await navigator.gpu.requestAdapter();
  expect(software).toBe(softwareEvidence(adapter!.info).software);
  for (const op of convolutions) {
    const [preferred] = convVariants(op, { quads, software: true });
    const [other] = convVariants(op, { quads, software: false });
    expect(other!.form, op.name).toBe('tile');
    if (op.kind === 'conv2d.forward') expect(preferred!.form, op.name).toBe('strip');
  }
});

test('every kernel call is timed by itself, and the parameters stay', async () => {
  const trainer = await GpuTrainer.create(queue, plan, initialParameters(plan, 3), kernels);
  const { height, width, channels } = plan.input;
  const images = Float32Array.from({ length: plan.batch * height * width * channels }, (_, at) =>
    Math.sin(at),
  );
  await trainer.step(images, [1, 2], { learningRate: 0.1, momentum: 0.9, weightDecay: 1e-4 });
  const before = await trainer.readParameters();
  const calls = (await trainer.timeCalls(timer, 60, 1e9)) ?? [];
  expect(new Set(calls.flatMap(({ ops }) => ops)).size).toBe(plan.ops.length);
  for (const { seconds, variant } of calls) {
    expect(Math.min(...seconds)).toBeGreaterThan(0);
    expect(variant).not.toBe('');
  }
  expect(await trainer.readParameters()).toEqual(before);
  trainer.destroy();
});
