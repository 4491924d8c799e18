import type { ConcatGeometry, PlanOp, WindowPoolGeometry } from '../../core/nn/plan.ts';
import { elementSize, ranges, type OpCall, type Operands } from './opCall.ts';
import { PixelTiles } from './pixelTiles.ts';

type Op<Kind extends PlanOp['kind']> = Extract<PlanOp, { kind: Kind }>;

const tilePixels = 256;
const tileElements = 4096;

/** Tiles are ranges of pixels; `copy` moves one input's channels of them. */
function overChannels(
  { pixels, channels }: ConcatGeometry,
  copy: (
    operands: Operands,
    input: number,
    part: { readonly offset: number; readonly pitch: number; readonly channels: number },
    whole: { readonly offset: number; readonly pitch: number },
    pixels: number,
  ) => void,
): OpCall {
  const tiles = ranges(pixels, tilePixels);
  const pitch = channels.reduce((sum, each) => sum + each, 0) * elementSize;
  const starts = channels.map((_, at) =>
    channels.slice(0, at).reduce((sum, each) => sum + each * elementSize, 0),
  );
  return {
    sharedSize: 0,
    ownSize: 0,
    phases: (operands) => [
      {
        tiles: tiles.tiles,
        run(tile) {
          const { first, length } = tiles.at(tile);
          for (const [input, count] of channels.entries()) {
            const ownPitch = count * elementSize;
            copy(
              operands,
              input,
              { offset: first * ownPitch, pitch: ownPitch, channels: count },
              { offset: first * pitch + starts[input]!, pitch },
              length,
            );
          }
        },
      },
    ],
  };
}

export function concatForward(op: Op<'concat.forward'>): OpCall {
  return overChannels(op.geometry, ({ functions, address }, input, part, whole, pixels) =>
    functions.copyChannels(
      address(op.inputs[input]!) + part.offset,
      part.pitch,
      address(op.output) + whole.offset,
      whole.pitch,
      pixels,
      part.channels,
    ),
  );
}

export function concatBackward(op: Op<'concat.backward'>): OpCall {
  return overChannels(op.geometry, ({ functions, address }, input, part, whole, pixels) =>
    functions.copyChannels(
      address(op.outputGradient) + whole.offset,
      whole.pitch,
      address(op.inputGradients[input]!) + part.offset,
      part.pitch,
      pixels,
      part.channels,
    ),
  );
}

export function addition(op: Op<'add'>): OpCall {
  const tiles = ranges(op.length, tileElements);
  return {
    sharedSize: 0,
    ownSize: 0,
    phases: ({ functions, address }) => [
      {
        tiles: tiles.tiles,
        run(tile) {
          const { first, length } = tiles.at(tile);
          const at = first * elementSize;
          functions.add(
            address(op.left) + at,
            address(op.right) + at,
            address(op.sum) + at,
            length,
          );
        },
      },
    ],
  };
}

/** Tiles are rows of images of `height` x `width`; the kernel is called for one image at a time. */
function overRows(
  batch: number,
  height: number,
  width: number,
  kernel: (operands: Operands, image: number, row: number, rows: number) => void,
): OpCall {
  const tiles = new PixelTiles(batch, height, width);
  return {
    sharedSize: 0,
    ownSize: 0,
    phases: (operands) => [
      {
        tiles: tiles.tiles,
        run(tile) {
          const { image, images, row, rows } = tiles.at(tile);
          for (let at = image; at < image + images; at++) kernel(operands, at, row, rows);
        },
      },
    ],
  };
}

function overOutputs(
  g: WindowPoolGeometry,
  kernel: (operands: Operands, input: number, output: number, row: number, rows: number) => void,
): OpCall {
  const inSize = g.inHeight * g.inWidth * g.channels * elementSize;
  const outSize = g.outHeight * g.outWidth * g.channels * elementSize;
  return overRows(g.batch, g.outHeight, g.outWidth, (operands, image, row, rows) =>
    kernel(operands, image * inSize, image * outSize, row, rows),
  );
}

function overInputs(
  g: WindowPoolGeometry,
  kernel: (operands: Operands, input: number, output: number, row: number, rows: number) => void,
): OpCall {
  const inSize = g.inHeight * g.inWidth * g.channels * elementSize;
  const outSize = g.outHeight * g.outWidth * g.channels * elementSize;
  return overRows(g.batch, g.inHeight, g.inWidth, (operands, image, row, rows) =>
    kernel(operands, image * inSize, image * outSize, row, rows),
  );
}

export function maxPoolForward(op: Op<'maxPool.forward'>): OpCall {
  const { geometry: g } = op;
  return overOutputs(g, ({ functions, address }, input, output, row, rows) =>
    functions.maxPool(
      address(op.input) + input,
      g.inHeight,
      g.inWidth,
      g.channels,
      g.kernelHeight,
      g.kernelWidth,
      g.stride,
      g.padTop,
      g.padLeft,
      g.outWidth,
      row,
      rows,
      address(op.output) + output,
      address(op.taps) + output,
    ),
  );
}

export function averagePoolForward(op: Op<'averagePool.forward'>): OpCall {
  const { geometry: g } = op;
  return overOutputs(g, ({ functions, address }, input, output, row, rows) =>
    functions.averageWindows(
      address(op.input) + input,
      g.inHeight,
      g.inWidth,
      g.channels,
      g.kernelHeight,
      g.kernelWidth,
      g.stride,
      g.padTop,
      g.padLeft,
      g.outWidth,
      row,
      rows,
      address(op.output) + output,
      1 / (g.kernelHeight * g.kernelWidth),
    ),
  );
}

/** Of both pools: `taps` are a max pool's. */
export function poolBackward(op: Op<'maxPool.backward'> | Op<'averagePool.backward'>): OpCall {
  const { geometry: g } = op;
  const isMax = op.kind === 'maxPool.backward';
  return overInputs(g, ({ functions, address }, input, output, row, rows) =>
    functions.poolBackward(
      address(op.outputGradient) + output,
      isMax ? address(op.taps) + output : 0,
      g.outHeight,
      g.outWidth,
      g.channels,
      g.kernelHeight,
      g.kernelWidth,
      g.stride,
      g.padTop,
      g.padLeft,
      g.inWidth,
      row,
      rows,
      address(op.inputGradient) + input,
      isMax ? 1 : 1 / (g.kernelHeight * g.kernelWidth),
    ),
  );
}
