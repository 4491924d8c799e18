import type { PlanOp, TensorId } from '../../core/nn/plan.ts';
import { stripsOf, type ConvOp, type ConvVariant } from './convVariants.ts';
import { momentsLength } from './normalization.ts';
import { stripShape } from './stripShape.ts';

/** Batch-norm's statistics of a tensor that the convolution which makes it begins on the way. */
export interface BegunStatistics {
  /** Index of their op in the plan: it only merges. */
  readonly op: number;
  /** Groups of pixels whose moments the convolution leaves. */
  readonly groups: number;
}

/** The statistics of a plan that convolutions begin, by the tensor that those make. */
export type AllBegunStatistics = ReadonlyMap<TensorId, BegunStatistics>;

export const noneBegun: AllBegunStatistics = new Map();

/** Which statistics of a plan are begun by the variants of its convolutions: strips have their results at hand. */
export function begunStatistics(
  ops: readonly PlanOp[],
  variantOf: (op: ConvOp) => ConvVariant,
): AllBegunStatistics {
  const begun = new Map<TensorId, BegunStatistics>();
  const readers = statisticsReaders(ops);
  for (const op of ops) {
    if (op.kind !== 'conv2d.forward') continue;
    const reader = readers.get(op.output);
    const variant = variantOf(op);
    if (reader !== undefined && variant.form === 'strip')
      begun.set(op.output, { op: reader, groups: stripShape(op, variant).groups });
  }
  return begun;
}

/** Elements of the moments that a plan's convolutions may leave, whatever the variants, by the tensor they make. */
export function begunLengths(ops: readonly PlanOp[]): ReadonlyMap<TensorId, number> {
  const lengths = new Map<TensorId, number>();
  const readers = statisticsReaders(ops);
  for (const op of ops) {
    if (op.kind !== 'conv2d.forward' || !readers.has(op.output)) continue;
    const groups = stripsOf(op, 'scalar').map((strip) => stripShape(op, strip).groups);
    if (groups.length > 0)
      lengths.set(op.output, momentsLength(Math.max(...groups), op.geometry.outChannels));
  }
  return lengths;
}

/** The plan's ops that take statistics, by the tensor that they are of. */
function statisticsReaders(ops: readonly PlanOp[]): ReadonlyMap<TensorId, number> {
  return new Map(
    ops.flatMap((op, index) => (op.kind === 'batchNorm.statistics' ? [[op.input, index]] : [])),
  );
}
