import type { ConvGeometry } from '../../core/nn/plan.ts';
import { convAxes, sum, tapsMetBy } from './convAxis.ts';
import { eights, weightLength, weightSlices } from './convolution.ts';
import type { Conv2dTileOptions } from './conv2dTile.ts';
import type { StripVariant, TileVariant } from './convVariants.ts';
import { momentsLength } from './normalization.ts';
import type { OpOf } from './operands.ts';
import { keptOf } from './stripAxis.ts';
import { stripShape, type PixelOp } from './stripShape.ts';
import { sharedDepth, tileGroups, unrolledTaps } from './tileLanes.ts';

/**
 * Bytes that the convolution kernels load and store, lane by lane. What a lane loads follows from the
 * taps that its tile meets; every element of the result is stored once. A counting build of the same
 * kernels is held to these formulas (tests/kernels/nn/issuedBytes.test.ts).
 */

const elementSize = 4;
/** Four elements, one by one or at once. */
const quadSize = 4 * elementSize;

/** What the directions call left (the tensor that is summed over) and result. */
function sidesOf({ kind, geometry: g }: PixelOp) {
  return kind === 'conv2d.forward'
    ? {
        axes: convAxes('forward', g),
        summed: g.inChannels,
        made: g.outChannels,
        resultLength: g.batch * g.outHeight * g.outWidth * g.outChannels,
      }
    : {
        axes: convAxes('backwardInput', g),
        summed: g.outChannels,
        made: g.inChannels,
        resultLength: g.batch * g.inHeight * g.inWidth * g.inChannels,
      };
}

function addedSize(op: PixelOp, loadedLength: number): number {
  const hasAddend = op.kind === 'conv2d.backwardInput' && op.addend !== undefined;
  return hasAddend ? elementSize * loadedLength : 0;
}

/** `Conv2dForward`: a lane takes sixteen fours, of the weight and of its pixels, a step. */
export function matrixForwardBytes({ geometry: g }: OpOf<'conv2d.forward'>): number {
  const { rows } = convAxes('forward', g);
  const lanesPerRow = eights(g.outWidth) * eights(g.outChannels);
  const steps = Math.ceil((g.kernelWidth * g.inChannels) / 4);
  const loads = g.batch * lanesPerRow * tapsMetBy(rows, 1, 'length') * steps * 16;
  return quadSize * loads + elementSize * g.batch * g.outHeight * g.outWidth * g.outChannels;
}

/** `Conv2dBackwardInput`: the same steps; it passes over pixels beyond the image's edge. */
export function matrixBackwardInputBytes(op: OpOf<'conv2d.backwardInput'>): number {
  const g = op.geometry;
  const { axes, resultLength } = sidesOf(op);
  const columns = sum(axes.columns.map(({ inside, taps }) => eights(inside) * taps));
  const steps = tapsMetBy(axes.rows, 1, 'inside') * columns * Math.ceil(g.outChannels / 4);
  const loads = g.batch * eights(g.inChannels) * steps * 16;
  // The addend comes in fours, whole also where fewer channels are left.
  const added = (resultLength / g.inChannels) * 4 * Math.ceil(g.inChannels / 4);
  return quadSize * loads + elementSize * resultLength + addedSize(op, added);
}

/** `Conv2dBackwardWeight`: a lane takes four fours for each output pixel of the rows that its taps meet. */
export function matrixBackwardWeightBytes({ geometry: g }: OpOf<'conv2d.backwardWeight'>): number {
  const { rows } = convAxes('forward', g);
  const lanes = eights(g.kernelWidth * g.inChannels) * eights(g.outChannels);
  const loads = g.batch * tapsMetBy(rows, 1, 'length') * g.outWidth * lanes * 4;
  return quadSize * loads + slicesSize(g);
}

/** `Conv2dTile`; `taps` of a row are unrolled, and neighbouring pixels lie `stride` columns apart; moments are a tile's. */
export function tileBytes(
  op: PixelOp,
  variant: TileVariant,
  { taps, stride, hasMoments }: Pick<Conv2dTileOptions, 'taps' | 'stride' | 'hasMoments'>,
): number {
  const { axes, summed, made, resultLength } = sidesOf(op);
  const columns = sum(
    axes.columns.map(
      (phase) => Math.ceil(phase.taps / taps) * Math.ceil(phase.length / variant.pixels),
    ),
  );
  const tiles = op.geometry.batch * tapsMetBy(axes.rows, variant.rows, 'length') * columns;
  const lanes = 4 * Math.ceil(made / (4 * variant.channels));
  const depth = sharedDepth(variant.sharing);
  const weights = elementSize * taps * depth * variant.channels;
  const pixels = variant.rows * distinctColumns(variant, taps, stride) * sharedSize(variant);
  const moments = hasMoments ? elementSize * momentsLength(tileGroups(op, variant), made) : 0;
  return (
    tiles * lanes * Math.ceil(summed / depth) * (weights + pixels) +
    moments +
    elementSize * resultLength +
    addedSize(op, resultLength)
  );
}

/**
 * `Conv2dStrip`: each round of summed channels loads a lane's weights once and a strip's pixels once,
 * and stores the result anew, and moments where it makes them; what it starts from is loaded for all
 * that the lanes make, also outside.
 */
export function stripBytes(op: PixelOp, variant: StripVariant, hasMoments: boolean): number {
  const { resultLength } = sidesOf(op);
  const shape = stripShape(op, variant);
  const { rows, columns } = shape.axes;
  const rowsLoaded = keptOf(rows) + shape.steps * (rows.met - keptOf(rows));
  const pixels = rowsLoaded * columns.met * shape.loads * sharedSize(variant);
  const weights = elementSize * shape.taps * shape.loads * shape.depth * variant.channels;
  const sums = shape.steps * rows.made * columns.made * variant.channels;
  const lanesOfStrips = shape.strips * shape.lanesPerStrip;
  const again = shape.rounds > 1 ? elementSize * lanesOfStrips * sums : 0;
  const moments = hasMoments
    ? elementSize * momentsLength(shape.groups, op.geometry.outChannels)
    : 0;
  return (
    shape.rounds *
    (shape.lanes * weights +
      lanesOfStrips * pixels +
      again +
      addedSize(op, lanesOfStrips * sums) +
      moments +
      elementSize * resultLength)
  );
}

/** `Conv2dBackwardWeightTile`. */
export function tileBackwardWeightBytes(
  { geometry: g }: OpOf<'conv2d.backwardWeight'>,
  variant: TileVariant,
): number {
  const taps = unrolledTaps(g);
  const depth = sharedDepth(variant.sharing);
  const lanes =
    4 *
    Math.ceil(g.outChannels / (4 * variant.channels)) *
    Math.ceil(g.inChannels / (variant.rows * depth)) *
    Math.ceil(g.kernelWidth / taps) *
    g.kernelHeight;
  const steps = g.batch * g.outHeight * Math.ceil(g.outWidth / variant.pixels);
  const gradients = elementSize * variant.pixels * variant.channels;
  const pixels = variant.rows * distinctColumns(variant, taps, g.stride) * sharedSize(variant);
  return steps * lanes * (gradients + pixels) + slicesSize(g);
}

/** What a workgroup of the staged kernels makes, and how much it stages at a time. */
const staged = { length: 64, channels: 32, depth: 8 } as const;
const stagedSize = elementSize * staged.depth * (staged.length + staged.channels);

/** `Conv2dStaged`. */
export function stagedBytes(op: PixelOp): number {
  const { axes, summed, made, resultLength } = sidesOf(op);
  const channelTiles = Math.ceil(made / staged.channels);
  const steps = sum(
    axes.rows.flatMap((rows) =>
      axes.columns.map((columns) => {
        const pixels = op.geometry.batch * rows.length * columns.length;
        return Math.ceil(pixels / staged.length) * rows.taps * columns.taps;
      }),
    ),
  );
  return (
    steps * channelTiles * Math.ceil(summed / staged.depth) * stagedSize +
    elementSize * resultLength +
    addedSize(op, resultLength)
  );
}

/** `Conv2dBackwardWeightStaged`. */
export function stagedBackwardWeightBytes({ geometry: g }: OpOf<'conv2d.backwardWeight'>): number {
  const { slices, rowsPerSlice } = weightSlices(g);
  const rows = g.batch * g.outHeight;
  const lastRows = rows - (slices - 1) * rowsPerSlice;
  const stepsOf = (sliceRows: number) => Math.ceil((sliceRows * g.outWidth) / staged.depth);
  const steps = (slices - 1) * stepsOf(rowsPerSlice) + stepsOf(lastRows);
  const rowTiles = Math.ceil(weightLength(g) / g.outChannels / staged.length);
  const channelTiles = Math.ceil(g.outChannels / staged.channels);
  return steps * rowTiles * channelTiles * stagedSize + slicesSize(g);
}

/** `SumSlices`. */
export function sumSlicesBytes({ geometry: g }: OpOf<'conv2d.backwardWeight'>): number {
  return slicesSize(g) + elementSize * weightLength(g);
}

function slicesSize(g: ConvGeometry): number {
  return elementSize * weightSlices(g).slices * weightLength(g);
}

/** Columns that neighbouring pixels meet at the unrolled taps; at one tap each pixel has its own. */
function distinctColumns({ pixels }: TileVariant, taps: number, stride: number): number {
  return taps === 1 ? pixels : (pixels - 1) * stride + taps;
}

/** Bytes that a lane loads for one pixel of what its quad uses. */
function sharedSize({ sharing }: TileVariant | StripVariant): number {
  return sharing === 'vec4' ? quadSize : elementSize;
}
