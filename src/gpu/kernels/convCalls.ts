import type { KernelCall } from './computeKernel.ts';
import { convAccess } from './convolution.ts';
import { Conv2dBackwardWeightTile } from './conv2dBackwardWeightTile.ts';
import { Conv2dStrip } from './conv2dStrip.ts';
import { Conv2dTile } from './conv2dTile.ts';
import { momentGroups } from './begunStatistics.ts';
import { variantName, type ConvOp, type ConvVariant } from './convVariants.ts';
import type { KernelSet } from './kernelSet.ts';
import type { Operands, OpOf } from './operands.ts';

/**
 * The kernel calls of a convolution by a variant, in order. `hasMoments`: a forward pass leaves the
 * moments of its result, which not every variant can (`momentGroups`).
 */
export async function convCalls(
  op: ConvOp,
  variant: ConvVariant,
  kernels: KernelSet,
  operands: Operands,
  hasMoments = false,
): Promise<readonly KernelCall[]> {
  switch (op.kind) {
    case 'conv2d.forward':
    case 'conv2d.backwardInput':
      return [await pixelCall(op, variant, kernels, operands, hasMoments)];
    case 'conv2d.backwardWeight': {
      const slices = await sliceCall(op, variant, kernels, operands);
      return [slices, (await kernels.sumSlices()).call(op, operands)];
    }
  }
}

/** Forward, and backward to the input. */
async function pixelCall(
  op: OpOf<'conv2d.forward' | 'conv2d.backwardInput'>,
  variant: ConvVariant,
  kernels: KernelSet,
  operands: Operands,
  hasMoments: boolean,
): Promise<KernelCall> {
  if (hasMoments && momentGroups(op, variant) === undefined)
    throw new Error(`${op.name}: ${variantName(variant)} makes no moments`);
  switch (variant.form) {
    case 'matrix': {
      const access = convAccess(op.geometry);
      if (op.kind === 'conv2d.forward')
        return (await kernels.conv2dForward(access)).call(op, operands);
      const hasAddend = op.addend !== undefined;
      return (await kernels.conv2dBackwardInput({ access, hasAddend })).call(op, operands);
    }
    case 'tile':
      return (await kernels.conv2dTile(Conv2dTile.options(op, variant, hasMoments))).call(
        op,
        operands,
      );
    case 'strip':
      return (await kernels.conv2dStrip(Conv2dStrip.options(op, variant, hasMoments))).call(
        op,
        operands,
      );
    case 'staged': {
      const [direction, hasAddend] =
        op.kind === 'conv2d.forward'
          ? (['forward', false] as const)
          : (['backwardInput', op.addend !== undefined] as const);
      return (await kernels.conv2dStaged({ direction, hasAddend })).call(op, operands);
    }
  }
}

/** The slices of the weight's gradient. */
async function sliceCall(
  op: OpOf<'conv2d.backwardWeight'>,
  variant: ConvVariant,
  kernels: KernelSet,
  operands: Operands,
): Promise<KernelCall> {
  switch (variant.form) {
    case 'matrix':
      return (await kernels.conv2dBackwardWeight(convAccess(op.geometry))).call(op, operands);
    case 'tile': {
      const options = Conv2dBackwardWeightTile.options(op, variant);
      return (await kernels.conv2dBackwardWeightTile(options)).call(op, operands);
    }
    case 'staged':
      return (await kernels.conv2dBackwardWeightStaged()).call(op, operands);
    case 'strip':
      throw new Error(`${op.name}: no strips of a weight's gradient`);
  }
}
