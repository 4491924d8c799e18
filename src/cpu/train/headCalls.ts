import type { PlanOp } from '../../core/nn/plan.ts';
import { elementSize, type OpCall, type Operands } from './opCall.ts';

type Op<Kind extends PlanOp['kind']> = Extract<PlanOp, { kind: Kind }>;

/** A call without scratch, of one phase whose tiles are images, or rows of a small matrix. */
function overItems(tiles: number, kernel: (operands: Operands, item: number) => void): OpCall {
  return {
    sharedSize: 0,
    ownSize: 0,
    phases: (operands) => [{ tiles, run: (tile) => kernel(operands, tile) }],
  };
}

export function globalAveragePoolForward(op: Op<'globalAveragePool.forward'>): OpCall {
  const { batch, pixels, channels } = op.geometry;
  const outSize = channels * elementSize;
  return overItems(batch, ({ functions, address }, image) =>
    functions.averagePool(
      address(op.input) + image * pixels * outSize,
      pixels,
      channels,
      address(op.output) + image * outSize,
    ),
  );
}

export function globalAveragePoolBackward(op: Op<'globalAveragePool.backward'>): OpCall {
  const { batch, pixels, channels } = op.geometry;
  const outSize = channels * elementSize;
  return overItems(batch, ({ functions, address }, image) =>
    functions.averagePoolBackward(
      address(op.outputGradient) + image * outSize,
      pixels,
      channels,
      address(op.inputGradient) + image * pixels * outSize,
    ),
  );
}

export function denseForward(op: Op<'dense.forward'>): OpCall {
  const { batch, inFeatures, outFeatures } = op.geometry;
  return overItems(batch, ({ functions, address }, image) =>
    functions.dense(
      address(op.input) + image * inFeatures * elementSize,
      address(op.weight),
      address(op.bias),
      inFeatures,
      outFeatures,
      address(op.output) + image * outFeatures * elementSize,
    ),
  );
}

export function denseBackwardInput(op: Op<'dense.backwardInput'>): OpCall {
  const { batch, inFeatures, outFeatures } = op.geometry;
  return overItems(batch, ({ functions, address }, image) =>
    functions.denseBackwardInput(
      address(op.outputGradient) + image * outFeatures * elementSize,
      address(op.weight),
      inFeatures,
      outFeatures,
      address(op.inputGradient) + image * inFeatures * elementSize,
    ),
  );
}

/** One tile a row of the weight, and one for the bias. */
export function denseBackwardWeight(op: Op<'dense.backwardWeight'>): OpCall {
  const { batch, inFeatures, outFeatures } = op.geometry;
  return overItems(inFeatures + 1, ({ functions, address }, row) => {
    const isBias = row === inFeatures;
    functions.denseBackwardWeight(
      isBias ? 0 : address(op.input) + row * elementSize,
      address(op.outputGradient),
      batch,
      inFeatures,
      outFeatures,
      isBias
        ? address(op.biasGradient)
        : address(op.weightGradient) + row * outFeatures * elementSize,
    );
  });
}

export function lossAndGradient(op: Op<'softmaxCrossEntropy'>): OpCall {
  const { batch, classes } = op;
  return overItems(batch, ({ functions, address }, image) => {
    const row = image * classes * elementSize;
    functions.softmaxCrossEntropy(
      address(op.logits) + row,
      address(op.labels) + image * elementSize,
      classes,
      batch,
      address(op.losses) + image * elementSize,
      address(op.logitsGradient) + row,
    );
  });
}

export function lossAndCorrect(op: Op<'classify'>): OpCall {
  const { batch, classes } = op;
  return overItems(batch, ({ functions, address }, image) => {
    const at = image * elementSize;
    functions.classify(
      address(op.logits) + at * classes,
      address(op.labels) + at,
      classes,
      address(op.losses) + at,
      address(op.correct) + at,
    );
  });
}
