import { stripAxes } from './stripAxis.ts';
import type { StripVariant } from './convVariants.ts';
import type { OpOf } from './operands.ts';
import { fewestLanes, sharedDepth } from './tileLanes.ts';

export type PixelOp = OpOf<'conv2d.forward' | 'conv2d.backwardInput'>;

/** Weights a lane and channel at the most: each stays in a register, or is spilled from there. */
const mostWeights = 72;

/** Whether a lane has room for the weights of all taps. */
export function hasStrips({ geometry: g }: PixelOp): boolean {
  return 4 * g.kernelHeight * g.kernelWidth <= mostWeights;
}

/** A convolution by strips: what of it a lane makes, and of how many lanes. Lengths in elements. */
export function stripShape(op: PixelOp, { sharing, pixels, channels }: StripVariant) {
  const g = op.geometry;
  const [direction, height, width, made, summed] =
    op.kind === 'conv2d.forward'
      ? (['forward', g.outHeight, g.outWidth, g.outChannels, g.inChannels] as const)
      : (['backwardInput', g.inHeight, g.inWidth, g.inChannels, g.outChannels] as const);
  const axes = stripAxes(direction, g, pixels);
  const taps = g.kernelHeight * g.kernelWidth;
  const depth = sharedDepth(sharing);
  const loads = Math.min(Math.ceil(summed / depth), Math.floor(mostWeights / (taps * depth)));
  const strips = g.batch * Math.ceil(width / pixels);
  const lanesPerStrip = 4 * Math.ceil(made / (4 * channels));
  const stripsPerLane = Math.max(1, Math.floor((strips * lanesPerStrip) / fewestLanes));
  const groups = Math.ceil(strips / stripsPerLane);
  return {
    direction,
    axes,
    taps,
    depth,
    /** Loads of summed channels that a lane has the weights for, and how many rounds that makes. */
    loads,
    rounds: Math.ceil(summed / (loads * depth)),
    steps: Math.ceil(height / axes.rows.made),
    strips,
    stripsPerLane,
    lanesPerStrip,
    /** Runs of strips, each walked by the lanes of all channels. */
    groups,
    lanes: lanesPerStrip * groups,
    isWhole: made % (4 * channels) === 0 && width % pixels === 0 && height % axes.rows.made === 0,
  };
}
