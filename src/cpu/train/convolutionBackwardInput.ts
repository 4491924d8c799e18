import type { ConvGeometry, PlanOp } from '../../core/nn/plan.ts';
import { cachedRows, tilePixels, type CacheSizes } from './caches.ts';
import {
  ChannelGroups,
  packedSize,
  panelSize,
  panelsOf,
  readAhead,
  tableSize,
  windowSize,
} from './convolution.ts';
import { elementSize, type OpCall, type Phase } from './opCall.ts';
import { PixelTiles } from './pixelTiles.ts';

type BackwardInputOp = Extract<PlanOp, { kind: 'conv2d.backwardInput' }>;

/** The taps that lead back to the inputs at positions remainder + stride n along one axis. */
interface AxisTaps {
  readonly remainder: number;
  /** The first such tap, and how many there are, `stride` apart. */
  readonly first: number;
  readonly count: number;
  /** Input remainder + stride n meets the outputs n + offset to n + offset + count - 1. */
  readonly offset: number;
}

/**
 * Input y meets tap k at output (y + pad - k) / stride, where that is whole: so inputs of one
 * remainder by the stride share their taps, and along them it is a convolution of stride 1.
 */
function axisTaps(stride: number, kernel: number, pad: number): AxisTaps[] {
  return Array.from({ length: stride }, (_, remainder) => {
    const first = (remainder + pad) % stride;
    const count = Math.max(0, Math.ceil((kernel - first) / stride));
    return { remainder, first, count, offset: (remainder + pad - first) / stride - (count - 1) };
  });
}

/** The outputs along one axis that inputs n = 0 of every remainder meet. */
function reach(axis: readonly AxisTaps[]): { readonly from: number; readonly to: number } {
  const met = axis.filter(({ count }) => count > 0);
  return {
    from: Math.min(...met.map(({ offset }) => offset)),
    to: Math.max(...met.map(({ offset, count }) => offset + count)),
  };
}

/** Positions n of [first, first + length) whose remainder + stride n lies below `end`. */
function positionsBelow(
  { remainder }: AxisTaps,
  first: number,
  length: number,
  stride: number,
  end: number,
): number {
  return Math.max(0, Math.min(length, Math.ceil((end - remainder) / stride) - first));
}

/** A remainder of rows with one of columns: a convolution with weights of its own. */
interface Parity {
  readonly rows: AxisTaps;
  readonly columns: AxisTaps;
  /** Where its packed weights begin. */
  readonly packed: number;
}

function parities(g: ConvGeometry): Parity[] {
  let packed = 0;
  return axisTaps(g.stride, g.kernelHeight, g.padTop).flatMap((rows) =>
    axisTaps(g.stride, g.kernelWidth, g.padLeft).map((columns) => {
      const parity = { rows, columns, packed };
      packed += packedSize(rows.count * columns.count * g.outChannels, g.inChannels);
      return parity;
    }),
  );
}

/**
 * Packs the transposed weights of every parity, then walks tiles of inputs by groups of their
 * channels. A tile copies the output gradients that it meets into a window with zeros around.
 */
export function convolutionBackwardInput(op: BackwardInputOp, caches: CacheSizes): OpCall {
  const { geometry: g } = op;
  const { inChannels, outChannels, stride } = g;
  const [height, width] = [Math.ceil(g.inHeight / stride), Math.ceil(g.inWidth / stride)];
  const channels = new ChannelGroups(inChannels);
  const pixelSize = (outChannels + stride * stride * channels.most) * elementSize;
  const packedRows = g.kernelHeight * g.kernelWidth * outChannels;
  const fitting = tilePixels(caches, pixelSize, panelSize(packedRows / stride ** 2));
  const tiles = new PixelTiles(g.batch, height, width, fitting);
  const panels = panelsOf(inChannels);
  const all = parities(g);
  const vertical = reach(all.map(({ rows }) => rows));
  const horizontal = reach(all.map(({ columns }) => columns));
  const windowOf = (row: number, rows: number) => ({
    row: row + vertical.from,
    column: horizontal.from,
    rows: rows + vertical.to - vertical.from - 1,
    columns: width + horizontal.to - horizontal.from - 1,
  });
  const copySize = tiles.imagesPerTile * windowSize(windowOf(0, tiles.rowsPerTile), outChannels);

  return {
    sharedSize: packedSize(packedRows, inChannels),
    ownSize: tableSize(tiles.pixels) + copySize + readAhead,
    phases({ functions, address, shared: packed, own: table }): Phase[] {
      const gradient = address(op.outputGradient);
      const weight = address(op.weight);
      const target = address(op.inputGradient);
      const toAddend = op.addend === undefined ? 0 : address(op.addend) - target;
      const copy = table + tableSize(tiles.pixels);
      const inPixel = inChannels * elementSize;
      const outPixel = outChannels * elementSize;

      const pack = (tile: number) => {
        const { rows, columns, packed: offset } = all[Math.floor(tile / panels)]!;
        const panel = tile % panels;
        functions.packTransposed(
          weight,
          g.kernelWidth,
          inChannels,
          outChannels,
          rows.first,
          columns.first,
          stride,
          rows.count,
          columns.count,
          packed + offset,
          panel,
          panel + 1,
        );
      };

      const run = (tile: number) => {
        const { image, images, row, rows } = tiles.at(Math.floor(tile / channels.groups));
        const { first, count } = channels.at(tile % channels.groups);
        const window = windowOf(row, rows);
        const size = windowSize(window, outChannels);
        const pitch = window.columns * outPixel;
        for (let slot = 0; slot < images; slot++)
          functions.copyWindow(
            gradient + (image + slot) * g.outHeight * g.outWidth * outPixel,
            g.outHeight,
            g.outWidth,
            outChannels,
            window.row,
            window.column,
            window.rows,
            window.columns,
            copy + slot * size,
          );
        for (const parity of all) {
          const ownRows = positionsBelow(parity.rows, row, rows, stride, g.inHeight);
          const ownColumns = positionsBelow(parity.columns, 0, width, stride, g.inWidth);
          const pixels = ownRows * ownColumns;
          if (pixels === 0) continue;
          const taps = parity.rows.count * parity.columns.count;
          const start =
            (parity.rows.offset - vertical.from) * pitch +
            (parity.columns.offset - horizontal.from) * outPixel;
          for (let slot = 0; slot < images; slot++) {
            const y = (image + slot) * g.inHeight + row * stride + parity.rows.remainder;
            const to = (y * g.inWidth + parity.columns.remainder) * inPixel;
            functions.pixelTable(
              table + slot * pixels * 8,
              copy + slot * size + start,
              pitch,
              outPixel,
              target + to + first * elementSize,
              stride * g.inWidth * inPixel,
              stride * inPixel,
              ownRows,
              ownColumns,
            );
          }
          functions.correlate(
            table,
            images * pixels,
            // Without a tap there is one empty run: zeros, or the addend alone.
            Math.max(1, parity.rows.count),
            taps === 0 ? 0 : parity.columns.count * outChannels,
            pitch,
            packed + parity.packed + taps * outChannels * first * elementSize,
            count,
            toAddend,
            cachedRows(caches),
          );
        }
      };

      return [
        { tiles: all.length * panels, run: pack },
        { tiles: tiles.tiles * channels.groups, run },
      ];
    },
  };
}
