import type { PlanOp } from '../../core/nn/plan.ts';
import { cachedRows, tilePixels, type CacheSizes } from './caches.ts';
import {
  ChannelGroups,
  inputWindow,
  isInside,
  packedSize,
  panelSize,
  panelsOf,
  readAhead,
  tableSize,
  windowSize,
} from './convolution.ts';
import { elementSize, type OpCall, type Phase } from './opCall.ts';
import { PixelTiles } from './pixelTiles.ts';

type ForwardOp = Extract<PlanOp, { kind: 'conv2d.forward' }>;

/**
 * Packs the weights, then walks tiles of pixels by groups of output channels. A tile copies the
 * inputs that it meets into a window with its padding, so that no border is a special case.
 */
export function convolutionForward(op: ForwardOp, caches: CacheSizes): OpCall {
  const { geometry: g } = op;
  const { inChannels, outChannels, stride } = g;
  const length = g.kernelHeight * g.kernelWidth * inChannels;
  const panels = panelsOf(outChannels);
  const channels = new ChannelGroups(outChannels);
  const pixelSize = (stride * stride * inChannels + channels.most) * elementSize;
  const fitting = tilePixels(caches, pixelSize, panelSize(length));
  const tiles = new PixelTiles(g.batch, g.outHeight, g.outWidth, fitting);
  const inside = isInside(g);
  const widest = inputWindow(g, 0, tiles.rowsPerTile);
  const copySize = inside ? 0 : tiles.imagesPerTile * windowSize(widest, inChannels);

  return {
    sharedSize: packedSize(length, outChannels),
    ownSize: tableSize(tiles.pixels) + copySize + readAhead,
    phases({ functions, address, shared: packed, own: table }): Phase[] {
      const [input, weight, output] = [address(op.input), address(op.weight), address(op.output)];
      const copy = table + tableSize(tiles.pixels);
      const imageSize = g.inHeight * g.inWidth * inChannels * elementSize;
      const inPixel = inChannels * elementSize;
      const outPixel = outChannels * elementSize;

      /** Where the input that a tile's image meets begins, and the bytes of its rows. */
      const source = (image: number, row: number, rows: number, slot: number) => {
        const from = input + image * imageSize;
        if (inside)
          return {
            start: from + row * stride * g.inWidth * inPixel,
            pitch: g.inWidth * inPixel,
          };
        const window = inputWindow(g, row, rows);
        const start = copy + slot * windowSize(window, inChannels);
        functions.copyWindow(
          from,
          g.inHeight,
          g.inWidth,
          inChannels,
          window.row,
          window.column,
          window.rows,
          window.columns,
          start,
        );
        return { start, pitch: window.columns * inPixel };
      };

      return [
        {
          tiles: panels,
          run: (panel) =>
            functions.packWeights(weight, length, outChannels, packed, panel, panel + 1),
        },
        {
          tiles: tiles.tiles * channels.groups,
          run(tile) {
            const { image, images, row, rows } = tiles.at(Math.floor(tile / channels.groups));
            const { first, count } = channels.at(tile % channels.groups);
            const pixels = rows * g.outWidth;
            let pitch = 0;
            for (let slot = 0; slot < images; slot++) {
              const from = source(image + slot, row, rows, slot);
              ({ pitch } = from);
              const to = ((image + slot) * g.outHeight + row) * g.outWidth * outPixel;
              functions.pixelTable(
                table + slot * pixels * 8,
                from.start,
                stride * pitch,
                stride * inPixel,
                output + to + first * elementSize,
                g.outWidth * outPixel,
                outPixel,
                rows,
                g.outWidth,
              );
            }
            functions.correlate(
              table,
              images * pixels,
              g.kernelHeight,
              g.kernelWidth * inChannels,
              pitch,
              packed + length * first * elementSize,
              count,
              0,
              cachedRows(caches),
            );
          },
        },
      ];
    },
  };
}
