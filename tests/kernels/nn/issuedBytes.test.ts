import { expect, test } from 'vitest';
import { evaluationPlan } from '../../../src/core/nn/evaluationPlan.ts';
import { convKey, convVariants, variantName } from '../../../src/gpu/kernels/convVariants.ts';
import { PlanCalls } from '../../../src/gpu/train/planCalls.ts';
import { TrainerBuffers } from '../../../src/gpu/train/trainerBuffers.ts';
import { cases, geometry, shapes } from './convCases.ts';
import { countingKernels, expectAsTold, expectPlanAsTold } from './countedPlan.ts';
import { openKernels } from './opHarness.ts';

// All kernels, variants and shapes are in tests/exhaustive/gpu-nn: compiling them takes a minute.
test('each call of an evaluation issues the bytes that it tells', async () => {
  const { queue } = await openKernels();
  const plan = evaluationPlan('resnet8', 2, { height: 5, width: 8, channels: 1 });
  await expectPlanAsTold(await countingKernels(queue), plan, []);
  queue.device.destroy();
});

test('convolutions that begin batch-norm', async () => {
  const { queue } = await openKernels();
  const gpu = await countingKernels(queue);
  const { op, list, result } = cases.forward(geometry(shapes[8]!));
  const { batch, outHeight, outWidth, outChannels: channels } = op.geometry;
  const statistics = list.output('statistics', [2, channels]);
  const normGeometry = { pixels: batch * outHeight * outWidth, channels, epsilon: 1e-5 };
  const norm = { kind: 'batchNorm.statistics', name: 'bn', geometry: normGeometry } as const;
  const ops = [op, { ...norm, input: result, statistics }];
  const { specs: tensors, parameterLength, runningLength } = list;
  const plan = { tensors, ops, parameterLength, runningLength };
  const buffers = await TrainerBuffers.create(queue, plan);
  const variants = convVariants(op, await gpu.kernels.support()).map(variantName);
  for (const name of [/^strip/, /4x8x4$/]) {
    const choices = { [convKey(op)]: variants.find((variant) => name.test(variant))! };
    const { calls } = await PlanCalls.create(ops, gpu.kernels, buffers, choices);
    expect(calls.map((call) => call.ops)).toEqual([[0, 1], [1]]);
    await expectAsTold(gpu, calls);
  }
  queue.device.destroy();
});
