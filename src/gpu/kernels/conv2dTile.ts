import quadSource from '../../../shaders/lib/conv2d-share-quad.wgsl?raw';
import scalarSource from '../../../shaders/lib/conv2d-share-scalar.wgsl?raw';
import vec4Source from '../../../shaders/lib/conv2d-share-vec4.wgsl?raw';
import backwardSides from '../../../shaders/lib/conv2d-sides-backward-input.wgsl?raw';
import forwardSides from '../../../shaders/lib/conv2d-sides-forward.wgsl?raw';
import windowSource from '../../../shaders/lib/conv2d-window.wgsl?raw';
import backwardSource from '../../../shaders/lib/conv2d-window-backward-input.wgsl?raw';
import forwardSource from '../../../shaders/lib/conv2d-window-forward.wgsl?raw';
import geometrySource from '../../../shaders/lib/conv2d-geometry.wgsl?raw';
import source from '../../../shaders/nn/conv2d-tile.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { tileBytes } from './convIssuedBytes.ts';
import { convFields, convUniform } from './convolution.ts';
import type { Sharing, TileVariant } from './convVariants.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { sharedDepth, tileLanes, unrolledTaps } from './tileLanes.ts';
import { unrolled } from './unroll.ts';

/** The directions that make pixels. */
export type ConvDirection = 'forward' | 'backwardInput';

/** What a pipeline of this kernel is specialised to. */
export interface Conv2dTileOptions {
  readonly direction: ConvDirection;
  readonly variant: TileVariant;
  /** Taps of a row that are unrolled: all of them, or one. */
  readonly taps: number;
  /** Columns from one pixel to the next where taps are unrolled. */
  readonly stride: number;
  readonly hasAddend: boolean;
  /** Whether the forward pass begins batch-norm's statistics on its result. */
  readonly hasMoments: boolean;
}

/** Which tensors a direction reads and makes. */
export const sideSources = { forward: forwardSides, backwardInput: backwardSides } as const;

/** The same, and which taps a tile meets. */
export const windowSources = {
  forward: `${forwardSides}\n${forwardSource}`,
  backwardInput: `${backwardSides}\n${backwardSource}`,
} as const;

/** What stands before the source of a tile kernel that shares in such a way. */
export function sharingLibrary(sharing: Sharing): readonly string[] {
  const loads = { quad: quadSource, scalar: scalarSource, vec4: vec4Source }[sharing];
  return [geometrySource, windowSource, loads];
}

/** Owner of shaders/nn/conv2d-tile.wgsl: forward, and backward to the input. */
export class Conv2dTile {
  readonly #kernel: ComputeKernel;
  readonly #variant: TileVariant;
  readonly #hasMoments: boolean;

  private constructor(kernel: ComputeKernel, { variant, hasMoments }: Conv2dTileOptions) {
    this.#kernel = kernel;
    this.#variant = variant;
    this.#hasMoments = hasMoments;
  }

  static async create(context: KernelContext, options: Conv2dTileOptions): Promise<Conv2dTile> {
    const { direction, variant } = options;
    const window = windowSources[direction];
    const kernel = await ComputeKernel.create(context, {
      owner: 'Conv2dTile',
      entryPoint: 'makeTiles',
      subgroups: variant.sharing === 'quad',
      sources: [
        ...sharingLibrary(variant.sharing),
        unrolled(`${source}\n${window}`, numbers(options)),
      ],
      bindings: [
        'uniform',
        'read',
        'read',
        'write',
        ...(options.hasAddend ? (['read'] as const) : []),
        ...(options.hasMoments ? (['write'] as const) : []),
      ],
    });
    return new Conv2dTile(kernel, options);
  }

  /** `hasMoments`: whether a forward pass leaves the moments of its result. */
  static options(
    op: OpOf<'conv2d.forward' | 'conv2d.backwardInput'>,
    variant: TileVariant,
    hasMoments = false,
  ): Conv2dTileOptions {
    const { geometry } = op;
    const { stride } = geometry;
    switch (op.kind) {
      case 'conv2d.forward': {
        const taps = unrolledTaps(geometry);
        return {
          direction: 'forward',
          variant,
          taps,
          stride: taps === 1 ? 1 : stride,
          hasAddend: false,
          hasMoments,
        };
      }
      case 'conv2d.backwardInput':
        return {
          direction: 'backwardInput',
          variant,
          // The taps of a phase are few, and their number differs from phase to phase.
          taps: stride === 1 ? unrolledTaps(geometry) : 1,
          stride: 1,
          hasAddend: op.addend !== undefined,
          hasMoments: false,
        };
    }
  }

  call(op: OpOf<'conv2d.forward' | 'conv2d.backwardInput'>, operands: Operands): KernelCall {
    const { geometry } = op;
    const [left, result, addend] =
      op.kind === 'conv2d.forward'
        ? [op.input, op.output, undefined]
        : [op.outputGradient, op.inputGradient, op.addend];
    const extent = {
      lanes: tileLanes(op, this.#variant),
      issuedBytes: tileBytes(
        op,
        this.#variant,
        Conv2dTile.options(op, this.#variant, this.#hasMoments),
      ),
    };
    return this.#kernel.call(callLabel(op), extent, [
      operands.uniform(convFields, convUniform(geometry)),
      operands.tensor(left),
      operands.tensor(op.weight),
      operands.tensor(result),
      ...(addend === undefined ? [] : [operands.tensor(addend)]),
      ...(this.#hasMoments ? [operands.moments(result)] : []),
    ]);
  }
}

/** Lengths of the shader's unrolled loops, and how the distinct columns follow from pixel and tap. */
function numbers(options: Conv2dTileOptions) {
  const { direction, variant, taps, stride } = options;
  const forward = direction === 'forward';
  const alone = taps === 1;
  return {
    r: variant.rows,
    p: variant.pixels,
    c: variant.channels,
    t: taps,
    i: sharedDepth(variant.sharing),
    n: alone ? variant.pixels : (variant.pixels - 1) * stride + taps,
    addends: Number(options.hasAddend),
    moments: Number(options.hasMoments),
    // Pixel p and tap t meet distinct column p x use + t x turn + turned.
    use: stride,
    turn: forward ? 1 : -1,
    turned: forward ? 0 : taps - 1,
    // Distinct column n is that of pixel n x apart and tap n x next + turned.
    apart: forward && !alone ? 0 : 1,
    next: forward && !alone ? 1 : 0,
  };
}
