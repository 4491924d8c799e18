import type { PlanOp, TensorId } from '../../core/nn/plan.ts';
import { convVariants, type ConvOp, type ConvVariant } from './convVariants.ts';
import { momentsLength, pixelsPerLane } from './normalization.ts';
import { stripShape, type PixelOp } from './stripShape.ts';
import { tileGroups } from './tileLanes.ts';

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

/** Which statistics of a plan are begun by the variants of its convolutions. */
export function begunStatistics(
  ops: readonly PlanOp[],
  variantOf: (op: ConvOp) => ConvVariant,
): AllBegunStatistics {
  const begun = new Map<TensorId, BegunStatistics>();
  const readers = statisticsReaders(ops);
  for (const op of ops) {
    if (op.kind !== 'conv2d.forward') continue;
    const reader = readers.get(op.output);
    const groups = momentGroups(op, variantOf(op));
    if (reader !== undefined && groups !== undefined) begun.set(op.output, { op: reader, groups });
  }
  return begun;
}

/**
 * Groups of pixels whose moments a variant of a forward pass has at hand; undefined where it has none,
 * or so many that leaving them saves nothing: a tile of fewer pixels than a lane of the separate pass.
 */
export function momentGroups(op: PixelOp, variant: ConvVariant): number | undefined {
  switch (variant.form) {
    case 'strip':
      return stripShape(op, variant).groups;
    case 'tile':
      return variant.rows * variant.pixels < pixelsPerLane ? undefined : tileGroups(op, variant);
    case 'matrix':
    case 'staged':
      return undefined;
  }
}

/** Where the moments that a plan's convolutions leave lie: so many elements in all, and each tensor's place. */
export interface MomentPlaces {
  readonly length: number;
  readonly places: ReadonlyMap<TensorId, { readonly offset: number; readonly length: number }>;
}

/**
 * Places for what the plan's convolutions may leave, whatever their variants: moments whose statistics
 * have been merged make room for the next ones.
 */
export function momentPlaces(ops: readonly PlanOp[]): MomentPlaces {
  const places = new Map<TensorId, { readonly offset: number; readonly length: number }>();
  const readers = statisticsReaders(ops);
  const open = new Map<TensorId, number>();
  let length = 0;
  for (const op of ops) {
    if (op.kind === 'batchNorm.statistics') open.delete(op.input);
    if (op.kind !== 'conv2d.forward' || !readers.has(op.output)) continue;
    const most = mostMoments(op);
    const offset = Math.max(0, ...open.values());
    const end = offset + Math.ceil(most / alignment) * alignment;
    if (most === 0) continue;
    open.set(op.output, end);
    places.set(op.output, { offset, length: most });
    length = Math.max(length, end);
  }
  return { length, places };
}

/** Elements that a binding's offset is a multiple of. */
const alignment = 64;

/** Elements of a forward pass's moments by the variant that leaves most, on any device. */
function mostMoments(op: Extract<PlanOp, { readonly kind: 'conv2d.forward' }>): number {
  const groups = convVariants(op, { quads: true, software: false }).flatMap(
    (variant) => momentGroups(op, variant) ?? [],
  );
  return momentsLength(Math.max(0, ...groups), op.geometry.outChannels);
}

/** The plan's ops that take statistics, by the tensor that they are of. */
function statisticsReaders(ops: readonly PlanOp[]): ReadonlyMap<TensorId, number> {
  return new Map(
    ops.flatMap((op, index) => (op.kind === 'batchNorm.statistics' ? [[op.input, index]] : [])),
  );
}
