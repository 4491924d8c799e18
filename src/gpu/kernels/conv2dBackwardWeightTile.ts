import source from '../../../shaders/nn/conv2d-backward-weight-tile.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { tileBackwardWeightBytes } from './convIssuedBytes.ts';
import { sharingLibrary } from './conv2dTile.ts';
import type { TileVariant } from './convVariants.ts';
import { convFields, convUniform } from './convolution.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { sharedDepth, tileLanes, unrolledTaps } from './tileLanes.ts';
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
  readonly #variant: TileVariant;

  private constructor(kernel: ComputeKernel, variant: TileVariant) {
    this.#kernel = kernel;
    this.#variant = variant;
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
    return new Conv2dBackwardWeightTile(kernel, options.variant);
  }

  static options(
    { geometry }: OpOf<'conv2d.backwardWeight'>,
    variant: TileVariant,
  ): Conv2dBackwardWeightTileOptions {
    return { variant, taps: unrolledTaps(geometry), stride: geometry.stride };
  }

  call(op: OpOf<'conv2d.backwardWeight'>, operands: Operands): KernelCall {
    const g = op.geometry;
    const extent = {
      lanes: tileLanes(op, this.#variant),
      issuedBytes: tileBackwardWeightBytes(op, this.#variant),
    };
    return this.#kernel.call(callLabel(op, 'slices'), extent, [
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
