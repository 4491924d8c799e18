import { afterAll, describe, expect, test } from 'vitest';
import { evaluationPlan } from '../../../src/core/nn/evaluationPlan.ts';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { convCalls } from '../../../src/gpu/kernels/convCalls.ts';
import { convVariants, variantName } from '../../../src/gpu/kernels/convVariants.ts';
import { TrainerBuffers } from '../../../src/gpu/train/trainerBuffers.ts';
import { cases, geometry, shapes } from '../../kernels/nn/convCases.ts';
import { countingKernels, expectAsTold, expectPlanAsTold } from '../../kernels/nn/countedPlan.ts';
import { openKernels } from '../../kernels/nn/opHarness.ts';

const { queue } = await openKernels();
const gpu = await countingKernels(queue);
afterAll(() => queue.device.destroy());

/** Between them every kernel, each on more than three shapes. */
test.each([
  ['inception', 2, { height: 9, width: 11, channels: 3 }],
  ['inception', 1, { height: 7, width: 6, channels: 1 }],
  ['bottleneck11', 1, { height: 6, width: 13, channels: 4 }],
  ['resnet8', 3, { height: 11, width: 5, channels: 5 }],
] as const)('each call of a step of %s on %d images', async (model, batch, input) => {
  const plan = trainingPlan(model, batch, input);
  await expectPlanAsTold(gpu, plan, initialParameters(plan, 1));
});

test.each([
  [1, { height: 9, width: 11, channels: 3 }],
  [2, { height: 5, width: 8, channels: 1 }],
  [5, { height: 4, width: 7, channels: 5 }],
] as const)('each call of an evaluation of %d images', async (batch, input) => {
  await expectPlanAsTold(gpu, evaluationPlan('resnet8', batch, input), []);
});

describe.each([32, 64, 256])('by every variant, %d lanes a workgroup', async (workgroupSize) => {
  const sized = await countingKernels(queue, workgroupSize);

  test.each(shapes)(
    '$kernel, stride $stride, $batch x $height x $width x $from to $to',
    async (shape) => {
      for (const caseOf of Object.values(cases)) {
        const { op, list } = caseOf(geometry(shape));
        const { specs: tensors, parameterLength, runningLength } = list;
        const plan = { tensors, ops: [op], parameterLength, runningLength };
        const buffers = await TrainerBuffers.create(queue, plan);
        const variants = convVariants(op, await sized.kernels.support());
        expect(variants.length).toBeGreaterThan(2);
        for (const variant of variants) {
          const calls = await convCalls(op, variant, sized.kernels, buffers);
          await expectAsTold(
            sized,
            calls.map((call) => ({ call, variant: variantName(variant) })),
          );
        }
        buffers.destroy();
      }
    },
  );
});
