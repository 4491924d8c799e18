import type { OpKind, PlanOp } from '../../core/nn/plan.ts';
import type { OpOf } from './operands.ts';
import { hasStrips, stripShape } from './stripShape.ts';
import { fewestLanes, tileLanes } from './tileLanes.ts';

/** The ops that have variants. */
export type ConvKind = Extract<OpKind, `conv2d.${string}`>;
export type ConvOp = OpOf<ConvKind>;

/** How the lanes of a quad come by the pixels that they all use. */
export type Sharing =
  /** Each loads another channel, and they swap. */
  | 'quad'
  /** Each loads them all, one channel or four at a time. */
  | 'scalar'
  | 'vec4';

/** A way to compute a convolution; all of them compute the same, in different orders of summing. */
export type ConvVariant =
  /** Eight pixels (or rows of the weight) by eight channels a lane, matrices of four by four. */
  | { readonly form: 'matrix' }
  /** Tiles staged in workgroup memory: 64 pixels (or rows of the weight) by 32 channels a workgroup. */
  | { readonly form: 'staged' }
  /** A tile of single sums a lane. */
  | {
      readonly form: 'tile';
      readonly sharing: Sharing;
      /** Rows of pixels of a lane; of the weight's gradient, loads of input channels. */
      readonly rows: number;
      /** Pixels a row; of the weight's gradient, pixels a step. */
      readonly pixels: number;
      /** Channels of a lane; a quad makes four times as many. */
      readonly channels: number;
    }
  /** Strips of so many columns from top to bottom, and the weights of so many channels in registers. */
  | {
      readonly form: 'strip';
      readonly sharing: Sharing;
      /** Pixels a row of a strip. */
      readonly pixels: number;
      /** Channels of a lane; a quad makes four times as many. */
      readonly channels: number;
    };

export type TileVariant = Extract<ConvVariant, { readonly form: 'tile' }>;
export type StripVariant = Extract<ConvVariant, { readonly form: 'strip' }>;

/** What a device has that variants may need. */
export interface VariantSupport {
  /** Quads of a workgroup are four consecutive lanes, and quadSwap works (see quads.ts). */
  readonly quads: boolean;
  /** The adapter runs on the CPU: few lanes at a time keep it busy, and loads are dear. */
  readonly software: boolean;
}

/** A variant in words, such as `quad 1x16x4` or `strip quad 2x4`. */
export function variantName(variant: ConvVariant): string {
  switch (variant.form) {
    case 'matrix':
      return 'matrix 8x8';
    case 'staged':
      return 'staged 64x32';
    case 'tile':
      return `${variant.sharing} ${variant.rows}x${variant.pixels}x${variant.channels}`;
    case 'strip':
      return `strip ${variant.sharing} ${variant.pixels}x${variant.channels}`;
  }
}

/** An op's kind and shape of an image in words: a choice of variant serves all batches. */
export function convKey({ kind, geometry: g }: ConvOp): string {
  const taps = `${g.kernelHeight}x${g.kernelWidth}/${g.stride}`;
  return `${kind} ${taps} ${g.inHeight}x${g.inWidth} ${g.inChannels}-${g.outChannels}`;
}

export function isConv(op: PlanOp): op is ConvOp {
  return op.kind.startsWith('conv2d.');
}

/** Channels of the tensor whose pixels a quad shares. */
function sharedChannels({ kind, geometry }: ConvOp): number {
  return kind === 'conv2d.backwardInput' ? geometry.outChannels : geometry.inChannels;
}

/** Channels that a quad's lanes make, and the width and height of the rows of pixels they lie in. */
function madeOf(op: ConvOp): { channels: number; width: number; height: number } {
  const g = op.geometry;
  switch (op.kind) {
    case 'conv2d.forward':
    case 'conv2d.backwardWeight':
      return { channels: g.outChannels, width: g.outWidth, height: g.outHeight };
    case 'conv2d.backwardInput': {
      const [width, height] = [g.inWidth, g.inHeight].map((length) => Math.ceil(length / g.stride));
      return { channels: g.inChannels, width: width!, height: height! };
    }
  }
}

/** Rows, pixels and channels of the tiles that are tried; each that fits the shape. */
const tileShapes = {
  pixels: [
    [1, 8, 4],
    [1, 16, 4],
    [1, 32, 4],
    [1, 16, 8],
    [2, 8, 8],
    [4, 8, 4],
  ],
  weight: [
    [1, 8, 4],
    [2, 8, 4],
    [2, 4, 8],
    [4, 8, 4],
  ],
} as const;

/** The variants that can compute an op, the deterministic default first. */
export function convVariants(op: ConvOp, support: VariantSupport): readonly ConvVariant[] {
  const made = madeOf(op);
  const alone = sharedChannels(op) % 4 === 0 ? 'vec4' : 'scalar';
  const sharings: Sharing[] = support.quads && sharedChannels(op) > 1 ? ['quad', alone] : [alone];
  const weight = op.kind === 'conv2d.backwardWeight';
  const fitting = (weight ? tileShapes.weight : tileShapes.pixels).filter(
    ([rows, pixels, channels]) =>
      channels <= Math.max(2, Math.ceil(made.channels / 4)) &&
      pixels < 2 * made.width &&
      (weight
        ? rows <= Math.ceil(op.geometry.inChannels / 4)
        : rows < 2 * made.height && rows * pixels <= 32),
  );
  const shapes = fitting.length > 0 ? fitting : [[1, 4, 2] as const];
  const tiles = sharings.flatMap((sharing) =>
    shapes
      // Lanes that load all pixels themselves gain nothing by more of them.
      .filter(([rows]) => !weight || sharing === 'quad' || rows <= 2)
      .map(([rows, pixels, channels]): TileVariant => {
        return { form: 'tile', sharing, rows, pixels, channels };
      }),
  );
  const preferred = preferredTile(
    op,
    tiles.filter(({ sharing }) => sharing === sharings[0]),
  );
  const others = tiles.filter((variant) => variant !== preferred);
  const strips = stripsOf(op, sharings[0]!);
  const stripsFirst = support.software && strips.some((strip) => pays(op, strip));
  const first = stripsFirst ? [...strips, preferred] : [preferred, ...strips];
  return [...first, ...others, { form: 'matrix' }, { form: 'staged' }];
}

/** Whether strips save more than they cost: not where several rounds load and store for few products each. */
function pays(op: ConvOp, strip: StripVariant): boolean {
  if (op.kind === 'conv2d.backwardWeight') return false;
  const hasPhases = op.kind === 'conv2d.backwardInput' && op.geometry.stride > 1;
  return !hasPhases || stripShape(op, strip).rounds === 1;
}

/** The one width of strips that is tried; two pixels, or as many as the stride, keep the code short. */
function stripsOf(op: ConvOp, sharing: Sharing): readonly StripVariant[] {
  if (op.kind === 'conv2d.backwardWeight' || !hasStrips(op)) return [];
  const { channels, width } = madeOf(op);
  const { stride } = op.geometry;
  const atOnce = op.kind === 'conv2d.backwardInput' ? stride : 1;
  const pixels = atOnce === 1 ? Math.min(2, width) : atOnce;
  return [{ form: 'strip', sharing, pixels, channels: Math.min(4, Math.ceil(channels / 4)) }];
}

/** The largest tile that leaves enough lanes, or else the smallest. */
function preferredTile(op: ConvOp, tiles: readonly TileVariant[]): TileVariant {
  const sums = ({ rows, pixels, channels }: TileVariant): number =>
    op.kind === 'conv2d.backwardWeight' ? rows * channels : rows * pixels * channels;
  const smallestFirst = tiles.toSorted((a, b) => sums(a) - sums(b));
  const largest = smallestFirst.findLast((tile) => tileLanes(op, tile) >= fewestLanes);
  return largest ?? smallestFirst[0]!;
}

/** Names of variants by `convKey`: what a tuner found. */
export type VariantChoices = Readonly<Record<string, string>>;

/** The chosen variant of an op, or the default where none was chosen or it cannot be had. */
export function chosenVariant(
  op: ConvOp,
  support: VariantSupport,
  choices: VariantChoices,
): ConvVariant {
  const variants = convVariants(op, support);
  const wanted = choices[convKey(op)];
  const chosen = variants.find((variant) => variantName(variant) === wanted) ?? variants[0];
  if (chosen === undefined) throw new Error(`${op.name}: no variant`);
  return chosen;
}

/** For each convolution of a plan the first variant whose name begins so; those without have none. */
export function choicesOf(
  ops: readonly PlanOp[],
  support: VariantSupport,
  beginning: string,
): VariantChoices {
  const chosen = ops.filter(isConv).flatMap((op) => {
    const names = convVariants(op, support).map(variantName);
    const name = names.find((candidate) => candidate.startsWith(beginning));
    return name === undefined ? [] : [[convKey(op), name] as const];
  });
  return Object.fromEntries(chosen);
}
