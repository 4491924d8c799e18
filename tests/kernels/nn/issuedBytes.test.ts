import { test } from 'vitest';
import { evaluationPlan } from '../../../src/core/nn/evaluationPlan.ts';
import { countingKernels, expectPlanAsTold } from './countedPlan.ts';
import { openKernels } from './opHarness.ts';

// All kernels, variants and shapes are in tests/exhaustive/gpu-nn: compiling them takes a minute.
test('each call of an evaluation issues the bytes that it tells', async () => {
  const { queue } = await openKernels();
  const plan = evaluationPlan('resnet8', 2, { height: 5, width: 8, channels: 1 });
  await expectPlanAsTold(await countingKernels(queue), plan, []);
  queue.device.destroy();
});
