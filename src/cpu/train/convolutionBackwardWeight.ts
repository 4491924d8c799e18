import type { PlanOp } from '../../core/nn/plan.ts';
import { ChannelGroups, inputWindow, isInside, readAhead, windowSize } from './convolution.ts';
import { elementSize, ranges, type OpCall, type Phase } from './opCall.ts';
import { PixelTiles } from './pixelTiles.ts';

type BackwardWeightOp = Extract<PlanOp, { kind: 'conv2d.backwardWeight' }>;

/** Slices have sums of their own: as many as keep all threads busy and still fit the cache. */
const mostSlices = 32;
const mostSliceElements = 2 ** 19;
/** With fewer tiles than this the rows of taps become tiles too. */
const fewTiles = 16;
const sumLength = 1024;

/**
 * The pixels are cut into slices, each with a sum of its own in scratch, and those are added up in
 * order. Tiles are slices by groups of output channels, and by rows of taps where slices are few.
 */
export function convolutionBackwardWeight(op: BackwardWeightOp): OpCall {
  const { geometry: g } = op;
  const { inChannels, outChannels, stride } = g;
  const weights = g.kernelHeight * g.kernelWidth * inChannels * outChannels;
  const bands = new PixelTiles(g.batch, g.outHeight, g.outWidth);
  const wanted = Math.max(1, Math.min(mostSlices, Math.floor(mostSliceElements / weights)));
  const bandsPerSlice = Math.ceil(bands.tiles / wanted);
  const slices = Math.ceil(bands.tiles / bandsPerSlice);
  const channels = new ChannelGroups(outChannels);
  const parts = slices * channels.groups < fewTiles ? g.kernelHeight : 1;
  const runs = g.kernelHeight / parts;
  const inside = isInside(g);
  /** The inputs that the taps of a part meet. */
  const windowOf = (row: number, rows: number, part: number) => {
    const all = inputWindow(g, row, rows);
    return { ...all, row: all.row + part * runs, rows: all.rows - g.kernelHeight + runs };
  };
  const copySize = inside ? 0 : windowSize(windowOf(0, bands.rowsPerTile, 0), inChannels);
  const slicePitch = Math.ceil(weights / 16) * 16 * elementSize;

  return {
    sharedSize: slices * slicePitch,
    ownSize: copySize + readAhead,
    phases({ functions, address, shared, own: copy }): Phase[] {
      const input = address(op.input);
      const gradient = address(op.outputGradient);
      const target = address(op.weightGradient);
      const inPixel = inChannels * elementSize;
      const outPixel = outChannels * elementSize;
      const imageSize = g.inHeight * g.inWidth * inPixel;
      const rowOfTaps = g.kernelWidth * inChannels;

      const correlateBand = (band: number, part: number, group: number, sum: number) => {
        const { image, images, row, rows } = bands.at(band);
        const { first, count } = channels.at(group);
        for (let at = image; at < image + images; at++) {
          const window = windowOf(row, rows, part);
          const from = input + at * imageSize;
          const start = inside ? from + window.row * g.inWidth * inPixel : copy;
          const pitch = (inside ? g.inWidth : window.columns) * inPixel;
          if (!inside)
            functions.copyWindow(
              from,
              g.inHeight,
              g.inWidth,
              inChannels,
              window.row,
              window.column,
              window.rows,
              window.columns,
              copy,
            );
          const to = (at * g.outHeight + row) * g.outWidth * outPixel;
          functions.correlateWeight(
            start,
            stride * pitch,
            stride * inPixel,
            runs,
            rowOfTaps,
            pitch,
            gradient + to + first * elementSize,
            g.outWidth * outPixel,
            outPixel,
            rows,
            g.outWidth,
            count,
            sum + (part * runs * rowOfTaps * outChannels + first) * elementSize,
            outPixel,
            band % bandsPerSlice === 0 && at === image ? 0 : 1,
          );
        }
      };

      const sums = ranges(weights, sumLength);
      return [
        {
          tiles: slices * parts * channels.groups,
          run(tile) {
            const slice = Math.floor(tile / (parts * channels.groups));
            const part = Math.floor(tile / channels.groups) % parts;
            const end = Math.min((slice + 1) * bandsPerSlice, bands.tiles);
            for (let band = slice * bandsPerSlice; band < end; band++)
              correlateBand(band, part, tile % channels.groups, shared + slice * slicePitch);
          },
        },
        {
          tiles: sums.tiles,
          run(tile) {
            const { first, length } = sums.at(tile);
            const at = first * elementSize;
            functions.sumSlices(shared + at, slices, slicePitch, target + at, length);
          },
        },
      ];
    },
  };
}
