import type { NormGeometry, PlanOp, TensorId } from '../../core/nn/plan.ts';
import { elementSize, ranges, type OpCall, type Operands, type Phase } from './opCall.ts';

type Op<Kind extends PlanOp['kind']> = Extract<PlanOp, { kind: Kind }>;

/** Of a tile: it stays in the innermost cache while every group of channels passes over it. */
const tileElements = 4096;
/** Channels that one tile of a merge does: a vector. */
const mergedChannels = 4;

function pixelRanges({ pixels, channels }: NormGeometry) {
  return ranges(pixels, Math.max(1, Math.floor(tileElements / channels)));
}

/** Two numbers a channel, in whole vectors. */
function partialSize({ channels }: NormGeometry): number {
  return 2 * Math.ceil(channels / mergedChannels) * mergedChannels * elementSize;
}

/** A call that needs no scratch and has one phase, over ranges of pixels. */
function overPixels(
  geometry: NormGeometry,
  kernel: (operands: Operands, offset: number, pixels: number) => void,
): OpCall {
  const tiles = pixelRanges(geometry);
  const pixelSize = geometry.channels * elementSize;
  return {
    sharedSize: 0,
    ownSize: 0,
    phases: (operands) => [
      {
        tiles: tiles.tiles,
        run(tile) {
          const { first, length } = tiles.at(tile);
          kernel(operands, first * pixelSize, length);
        },
      },
    ],
  };
}

/** Partial results of ranges of pixels in scratch, then their merge by channel. */
function merged(
  geometry: NormGeometry,
  phases: (operands: Operands) => {
    readonly partial: (offset: number, pixels: number, partial: number) => void;
    readonly merge: (tiles: number, tilePixels: number, channel: number) => void;
  },
): OpCall {
  const tiles = pixelRanges(geometry);
  const size = partialSize(geometry);
  const pixelSize = geometry.channels * elementSize;
  return {
    sharedSize: tiles.tiles * size,
    ownSize: 0,
    phases(operands): Phase[] {
      const { partial, merge } = phases(operands);
      const { length: tilePixels } = tiles.at(0);
      return [
        {
          tiles: tiles.tiles,
          run(tile) {
            const { first, length } = tiles.at(tile);
            partial(first * pixelSize, length, operands.shared + tile * size);
          },
        },
        {
          tiles: Math.ceil(geometry.channels / mergedChannels),
          run: (tile) => merge(tiles.tiles, tilePixels, tile * mergedChannels),
        },
      ];
    },
  };
}

export function normStatistics({
  geometry,
  input,
  statistics,
}: Op<'batchNorm.statistics'>): OpCall {
  const { channels, pixels, epsilon } = geometry;
  return merged(geometry, ({ functions, shared, address }) => ({
    partial: (offset, length, partial) =>
      functions.normPartial(address(input) + offset, length, channels, partial),
    merge: (tiles, tilePixels, channel) =>
      functions.normMerge(
        shared,
        tiles,
        tilePixels,
        pixels,
        channels,
        channel,
        epsilon,
        address(statistics),
      ),
  }));
}

export function normNormalize(op: Op<'batchNorm.normalize'>): OpCall {
  const { geometry, activation } = op;
  return overPixels(geometry, ({ functions, address }, offset, pixels) =>
    functions.normalize(
      address(op.input) + offset,
      address(op.statistics),
      address(op.gamma),
      address(op.beta),
      op.residual === undefined ? 0 : address(op.residual) + offset,
      address(op.output) + offset,
      pixels,
      geometry.channels,
      activation === 'relu' ? 1 : 0,
    ),
  );
}

/** Where the ReLU's mask is read from; 0 without a ReLU. */
function maskAddress(
  { activation, output }: { readonly activation: 'none' | 'relu'; readonly output: TensorId },
  { address }: Operands,
  offset: number,
): number {
  return activation === 'relu' ? address(output) + offset : 0;
}

export function normBackwardStatistics(op: Op<'batchNorm.backwardStatistics'>): OpCall {
  const { channels } = op.geometry;
  return merged(op.geometry, (operands) => {
    const { functions, shared, address } = operands;
    return {
      partial: (offset, pixels, partial) =>
        functions.normGradientPartial(
          address(op.input) + offset,
          address(op.statistics),
          maskAddress(op, operands, offset),
          address(op.outputGradient) + offset,
          pixels,
          channels,
          partial,
        ),
      merge: (tiles, _, channel) =>
        functions.normGradientMerge(
          shared,
          tiles,
          channels,
          channel,
          address(op.betaGradient),
          address(op.gammaGradient),
        ),
    };
  });
}

export function normBackwardInput(op: Op<'batchNorm.backwardInput'>): OpCall {
  const { geometry } = op;
  return overPixels(geometry, (operands, offset, pixels) => {
    const { functions, address } = operands;
    functions.normInputGradient(
      address(op.input) + offset,
      address(op.statistics),
      address(op.gamma),
      maskAddress(op, operands, offset),
      address(op.outputGradient) + offset,
      address(op.betaGradient),
      address(op.gammaGradient),
      address(op.inputGradient) + offset,
      op.residualGradient === undefined ? 0 : address(op.residualGradient) + offset,
      pixels,
      geometry.pixels,
      geometry.channels,
    );
  });
}

/** A call of one tile. */
function alone(kernel: (operands: Operands) => void): OpCall {
  return {
    sharedSize: 0,
    ownSize: 0,
    phases: (operands) => [{ tiles: 1, run: () => kernel(operands) }],
  };
}

export function normUpdateRunning(op: Op<'batchNorm.updateRunning'>): OpCall {
  const { pixels, channels, epsilon } = op.geometry;
  return alone(({ functions, address }) =>
    functions.updateRunning(
      address(op.statistics),
      pixels,
      channels,
      epsilon,
      op.momentum,
      address(op.running),
    ),
  );
}

export function normRunningStatistics(op: Op<'batchNorm.runningStatistics'>): OpCall {
  const { channels, epsilon } = op.geometry;
  return alone(({ functions, address }) =>
    functions.statisticsOfRunning(address(op.running), channels, epsilon, address(op.statistics)),
  );
}
