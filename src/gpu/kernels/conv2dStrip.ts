import source from '../../../shaders/nn/conv2d-strip.wgsl?raw';
import type { ConvGeometry } from '../../core/nn/plan.ts';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { stripBytes } from './convIssuedBytes.ts';
import { sharingLibrary, sideSources, type ConvDirection } from './conv2dTile.ts';
import { convFields, convUniform } from './convolution.ts';
import type { StripVariant } from './convVariants.ts';
import { callLabel, type Operands } from './operands.ts';
import { keptOf, stripAxes } from './stripAxis.ts';
import { stripShape, type PixelOp } from './stripShape.ts';
import { sharedDepth } from './tileLanes.ts';
import { unrolled } from './unroll.ts';

/** What a pipeline of this kernel is specialised to. */
export interface Conv2dStripOptions {
  readonly direction: ConvDirection;
  readonly variant: StripVariant;
  /** Kernel, stride and padding; the lengths of the tensors are not compiled in. */
  readonly window: Pick<
    ConvGeometry,
    'kernelHeight' | 'kernelWidth' | 'stride' | 'padTop' | 'padLeft'
  >;
  /** Loads of summed channels that a lane has the weights for. */
  readonly loads: number;
  /** Whether there are more summed channels than that. */
  readonly hasRounds: boolean;
  /** Whether strips and channels cover the result and no more. */
  readonly isWhole: boolean;
  readonly hasAddend: boolean;
  /** Whether the forward pass begins batch-norm's statistics on its result. */
  readonly hasMoments: boolean;
}

/** Owner of shaders/nn/conv2d-strip.wgsl: forward, and backward to the input. */
export class Conv2dStrip {
  readonly #kernel: ComputeKernel;
  readonly #variant: StripVariant;
  readonly #hasMoments: boolean;

  private constructor(kernel: ComputeKernel, { variant, hasMoments }: Conv2dStripOptions) {
    this.#kernel = kernel;
    this.#variant = variant;
    this.#hasMoments = hasMoments;
  }

  static async create(context: KernelContext, options: Conv2dStripOptions): Promise<Conv2dStrip> {
    const { direction, variant, hasAddend, hasMoments } = options;
    const { sharing } = variant;
    const kernel = await ComputeKernel.create(context, {
      owner: 'Conv2dStrip',
      entryPoint: 'makeStrips',
      subgroups: sharing === 'quad',
      sources: [
        ...sharingLibrary(sharing),
        sideSources[direction],
        unrolled(source, numbers(options)),
      ],
      bindings: [
        'uniform',
        'read',
        'read',
        'write',
        ...(hasAddend ? (['read'] as const) : []),
        ...(hasMoments ? (['write'] as const) : []),
      ],
    });
    return new Conv2dStrip(kernel, options);
  }

  /** `hasMoments`: whether a forward pass leaves the moments of its result. */
  static options(op: PixelOp, variant: StripVariant, hasMoments = false): Conv2dStripOptions {
    const { kernelHeight, kernelWidth, stride, padTop, padLeft } = op.geometry;
    const { direction, loads, rounds, isWhole } = stripShape(op, variant);
    return {
      direction,
      variant,
      window: { kernelHeight, kernelWidth, stride, padTop, padLeft },
      loads,
      hasRounds: rounds > 1,
      isWhole,
      hasAddend: op.kind === 'conv2d.backwardInput' && op.addend !== undefined,
      hasMoments,
    };
  }

  call(op: PixelOp, operands: Operands): KernelCall {
    const [left, result, addend] =
      op.kind === 'conv2d.forward'
        ? [op.input, op.output, undefined]
        : [op.outputGradient, op.inputGradient, op.addend];
    const { lanes, stripsPerLane } = stripShape(op, this.#variant);
    const extent = { lanes, issuedBytes: stripBytes(op, this.#variant, this.#hasMoments) };
    return this.#kernel.call(callLabel(op), extent, [
      operands.uniform(convFields, convUniform(op.geometry, stripsPerLane)),
      operands.tensor(left),
      operands.tensor(op.weight),
      operands.tensor(result),
      ...(addend === undefined ? [] : [operands.tensor(addend)]),
      ...(this.#hasMoments ? [operands.moments(result)] : []),
    ]);
  }
}

/** Lengths of the shader's unrolled loops, and which rows and columns meet at which tap. */
function numbers(options: Conv2dStripOptions) {
  const { direction, variant, window, loads, hasRounds, isWhole } = options;
  const { rows, columns } = stripAxes(direction, window, variant.pixels);
  const kept = keptOf(rows);
  return {
    r: rows.made,
    p: columns.made,
    c: variant.channels,
    a: rows.met,
    n: columns.met,
    e: kept,
    j: rows.met - kept,
    y: window.kernelHeight,
    x: window.kernelWidth,
    q: loads,
    i: sharedDepth(variant.sharing),
    again: Number(hasRounds),
    addends: Number(options.hasAddend),
    moments: Number(options.hasMoments),
    whole: Number(isWhole),
    ragged: Number(!isWhole),
    kept,
    width: window.kernelWidth,
    firstRow: rows.first,
    rowAdvance: rows.advance,
    rowStep: rows.step,
    rowBack: rows.back,
    rowUse: rows.use,
    rowTurn: rows.turn,
    rowShift: rows.shift,
    firstColumn: columns.first,
    columnAdvance: columns.advance,
    columnStep: columns.step,
    columnBack: columns.back,
    columnUse: columns.use,
    columnTurn: columns.turn,
    columnShift: columns.shift,
  };
}
