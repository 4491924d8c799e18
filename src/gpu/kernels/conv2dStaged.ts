import geometrySource from '../../../shaders/lib/conv2d-geometry.wgsl?raw';
import windowSource from '../../../shaders/lib/conv2d-window.wgsl?raw';
import source from '../../../shaders/nn/conv2d-staged.wgsl?raw';
import weightSource from '../../../shaders/nn/conv2d-backward-weight-staged.wgsl?raw';
import type { ConvGeometry } from '../../core/nn/plan.ts';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { stagedBackwardWeightBytes, stagedBytes } from './convIssuedBytes.ts';
import { windowSources } from './conv2dTile.ts';
import { convFields, convUniform, weightLength, weightSlices } from './convolution.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import { unrolled } from './unroll.ts';

/** What a workgroup makes, and with how many lanes: as the shaders say. */
const tileLength = 64;
const tileChannels = 32;
const lanes = 64;
/** Pixels or rows of the weight by channels of a lane. */
const laneShape = { p: 8, c: 4 };

/** Owner of shaders/nn/conv2d-staged.wgsl: forward, and backward to the input. */
export class Conv2dStaged {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(
    context: KernelContext,
    options: { readonly direction: 'forward' | 'backwardInput'; readonly hasAddend: boolean },
  ): Promise<Conv2dStaged> {
    const addends = Number(options.hasAddend);
    const kernel = await ComputeKernel.create(context, {
      owner: 'Conv2dStaged',
      entryPoint: 'makeTiles',
      sources: [
        geometrySource,
        windowSource,
        unrolled(source, { ...laneShape, addends }),
        windowSources[options.direction],
      ],
      bindings: ['uniform', 'read', 'read', 'write', ...(addends > 0 ? (['read'] as const) : [])],
      constants: { workgroupSize: lanes },
    });
    return new Conv2dStaged(kernel);
  }

  call(op: OpOf<'conv2d.forward' | 'conv2d.backwardInput'>, operands: Operands): KernelCall {
    const [left, result, addend] =
      op.kind === 'conv2d.forward'
        ? [op.input, op.output, undefined]
        : [op.outputGradient, op.inputGradient, op.addend];
    return this.#kernel.call(
      callLabel(op),
      { tiles: pixelTiles(op), issuedBytes: stagedBytes(op) },
      [
        operands.uniform(convFields, convUniform(op.geometry)),
        operands.tensor(left),
        operands.tensor(op.weight),
        operands.tensor(result),
        ...(addend === undefined ? [] : [operands.tensor(addend)]),
      ],
    );
  }
}

/** Owner of shaders/nn/conv2d-backward-weight-staged.wgsl, whose slices `SumSlices` adds up. */
export class Conv2dBackwardWeightStaged {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<Conv2dBackwardWeightStaged> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'Conv2dBackwardWeightStaged',
      entryPoint: 'makeTiles',
      sources: [geometrySource, unrolled(weightSource, laneShape)],
      bindings: ['uniform', 'read', 'read', 'write'],
      constants: { workgroupSize: lanes },
    });
    return new Conv2dBackwardWeightStaged(kernel);
  }

  call(op: OpOf<'conv2d.backwardWeight'>, operands: Operands): KernelCall {
    const g = op.geometry;
    const rowTiles = Math.ceil(weightLength(g) / g.outChannels / tileLength);
    const tiles = weightSlices(g).slices * rowTiles * channelTiles(g.outChannels);
    const issuedBytes = stagedBackwardWeightBytes(op);
    return this.#kernel.call(callLabel(op, 'slices'), { tiles, issuedBytes }, [
      operands.uniform(convFields, convUniform(g)),
      operands.tensor(op.input),
      operands.tensor(op.outputGradient),
      operands.scratch,
    ]);
  }
}

function pixelTiles({ kind, geometry: g }: OpOf<'conv2d.forward' | 'conv2d.backwardInput'>) {
  switch (kind) {
    case 'conv2d.forward':
      return tilesOf(g, g.outHeight * g.outWidth, g.outChannels);
    case 'conv2d.backwardInput': {
      const phase = Math.ceil(g.inHeight / g.stride) * Math.ceil(g.inWidth / g.stride);
      return g.stride ** 2 * tilesOf(g, phase, g.inChannels);
    }
  }
}

function tilesOf({ batch }: ConvGeometry, pixels: number, channels: number): number {
  return Math.ceil((batch * pixels) / tileLength) * channelTiles(channels);
}

function channelTiles(channels: number): number {
  return Math.ceil(channels / tileChannels);
}
