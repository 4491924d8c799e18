import source from '../../../shaders/nn/conv2d-backward-weight-tile.wgsl?raw';
import type { ConvGeometry } from '../../core/nn/plan.ts';
import {
  ComputeKernel,
  tilesOfLanes,
  type KernelCall,
  type KernelContext,
} from './computeKernel.ts';
import { sharedDepth, sharingLibrary, unrolledTaps, type TileVariant } from './conv2dTile.ts';
import { convFields, convUniform, weightSlices } from './convolution.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { unrolled } from './unroll.ts';

/** What a pipeline of this kernel is specialised to. */
export interface Conv2dBackwardWeightTileOptions {
  readonly variant: TileVariant;
  /** Taps of a row that are unrolled: all of them, or one. */
  readonly taps: number;
  readonly stride: number;
}

/** Owner of shaders/nn/conv2d-backward-weight-tile.wgsl, whose slices `SumSlices` adds up. */
export class Conv2dBackwardWeightTile {
  readonly #kernel: ComputeKernel;
  readonly #options: Conv2dBackwardWeightTileOptions;

  private constructor(kernel: ComputeKernel, options: Conv2dBackwardWeightTileOptions) {
    this.#kernel = kernel;
    this.#options = options;
  }

  static async create(
    context: KernelContext,
    options: Conv2dBackwardWeightTileOptions,
  ): Promise<Conv2dBackwardWeightTile> {
    const { sharing } = options.variant;
    const kernel = await ComputeKernel.create(context, {
      owner: 'Conv2dBackwardWeightTile',
      entryPoint: 'makeTiles',
      subgroups: sharing === 'quad',
      sources: [...sharingLibrary(sharing), unrolled(source, numbers(options))],
      bindings: ['uniform', 'read', 'read', 'write'],
    });
    return new Conv2dBackwardWeightTile(kernel, options);
  }

  static options(
    { geometry }: OpOf<'conv2d.backwardWeight'>,
    variant: TileVariant,
  ): Conv2dBackwardWeightTileOptions {
    return { variant, taps: unrolledTaps(geometry), stride: geometry.stride };
  }

  call(op: OpOf<'conv2d.backwardWeight'>, operands: Operands): KernelCall {
    const g = op.geometry;
    const tiles = tilesOfLanes(lanes(g, this.#options));
    return this.#kernel.call(callLabel(op, 'slices'), tiles, [
      operands.uniform(convFields, convUniform(g)),
      operands.tensor(op.input),
      operands.tensor(op.outputGradient),
      operands.scratch,
    ]);
  }
}

/** Lengths of the shader's unrolled loops, and how the distinct columns follow from pixel and tap. */
function numbers({ variant, taps, stride }: Conv2dBackwardWeightTileOptions) {
  const alone = taps === 1;
  return {
    t: taps,
    g: variant.rows,
    i: sharedDepth(variant.sharing),
    c: variant.channels,
    p: variant.pixels,
    n: alone ? variant.pixels : (variant.pixels - 1) * stride + taps,
    // Pixel p and tap t meet distinct column p x use + t, which lies n x apart columns on.
    use: alone ? 1 : stride,
    apart: alone ? stride : 1,
  };
}

/** Lanes of a call: four a quad, a quad a tile of the weight and slice. */
function lanes(g: ConvGeometry, { variant, taps }: Conv2dBackwardWeightTileOptions): number {
  const columns = Math.ceil(g.kernelWidth / taps);
  const loads = Math.ceil(g.inChannels / (variant.rows * sharedDepth(variant.sharing)));
  const made = Math.ceil(g.outChannels / (4 * variant.channels));
  return 4 * weightSlices(g).slices * g.kernelHeight * columns * loads * made;
}
