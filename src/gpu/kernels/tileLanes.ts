import type { ConvGeometry } from '../../core/nn/plan.ts';
import { weightSlices } from './convolution.ts';
import type { ConvOp, Sharing, TileVariant } from './convVariants.ts';

/** Rows of taps up to this long are unrolled. */
const mostTaps = 3;

/** Fewer lanes than this leave cores idle: a lane takes more work only beyond it. */
export const fewestLanes = 512;

/** Channels of one shared load. */
export function sharedDepth(sharing: Sharing): number {
  return sharing === 'scalar' ? 1 : 4;
}

/** How many taps of a row are unrolled: all, where a row is short. */
export function unrolledTaps({ kernelWidth }: ConvGeometry): number {
  return kernelWidth <= mostTaps ? kernelWidth : 1;
}

/** Lanes of a convolution by register tiles: four a quad, and a quad a tile. */
export function tileLanes(op: ConvOp, variant: TileVariant): number {
  const g = op.geometry;
  switch (op.kind) {
    case 'conv2d.forward':
      return 4 * g.batch * pixelTiles(g.outHeight, g.outWidth, g.outChannels, variant);
    case 'conv2d.backwardInput': {
      // Input pixels that lie a stride apart are of one phase, a smaller image of its own.
      const [height, width] = [Math.ceil(g.inHeight / g.stride), Math.ceil(g.inWidth / g.stride)];
      return 4 * g.batch * g.stride ** 2 * pixelTiles(height, width, g.inChannels, variant);
    }
    case 'conv2d.backwardWeight': {
      const columns = Math.ceil(g.kernelWidth / unrolledTaps(g));
      const loads = Math.ceil(g.inChannels / (variant.rows * sharedDepth(variant.sharing)));
      const channelTiles = Math.ceil(g.outChannels / (4 * variant.channels));
      return 4 * weightSlices(g).slices * g.kernelHeight * columns * loads * channelTiles;
    }
  }
}

/** Groups of pixels that the tiles of a forward pass make. */
export function tileGroups(
  { geometry: g }: Pick<ConvOp, 'geometry'>,
  { rows, pixels }: Pick<TileVariant, 'rows' | 'pixels'>,
): number {
  return g.batch * Math.ceil(g.outHeight / rows) * Math.ceil(g.outWidth / pixels);
}

function pixelTiles(height: number, width: number, made: number, variant: TileVariant): number {
  const { rows, pixels, channels } = variant;
  return Math.ceil(height / rows) * Math.ceil(width / pixels) * Math.ceil(made / (4 * channels));
}
