import type { ConvGeometry } from '../../core/nn/plan.ts';
import type { ConvDirection } from './conv2dTile.ts';

/** How a step of a strip meets the other tensor along one axis; positions in rows or columns. */
export interface StripAxis {
  /** Positions of the result that a step makes. */
  readonly made: number;
  /** Positions of the other tensor that they meet, the first of them at step 0, and how far on the next step's are. */
  readonly met: number;
  readonly first: number;
  readonly advance: number;
  /** Position m is met by result r at tap t where m x step + t x back = r x use + t x turn + shift. */
  readonly step: number;
  readonly back: number;
  readonly use: number;
  readonly turn: number;
  readonly shift: number;
}

/** Both axes; `pixels` columns are made at a time, and as few rows as can be. */
export function stripAxes(
  direction: ConvDirection,
  g: Pick<ConvGeometry, 'kernelHeight' | 'kernelWidth' | 'stride' | 'padTop' | 'padLeft'>,
  pixels: number,
): { readonly rows: StripAxis; readonly columns: StripAxis } {
  const rows = [g.kernelHeight, g.stride, g.padTop] as const;
  const columns = [g.kernelWidth, g.stride, g.padLeft] as const;
  switch (direction) {
    case 'forward':
      return { rows: forward(1, ...rows), columns: forward(pixels, ...columns) };
    case 'backwardInput':
      return { rows: backward(g.stride, ...rows), columns: backward(pixels, ...columns) };
  }
}

function forward(made: number, kernel: number, stride: number, pad: number): StripAxis {
  const along = { met: (made - 1) * stride + kernel, first: -pad, advance: made * stride };
  return { made, ...along, step: 1, back: 0, use: stride, turn: 1, shift: 0 };
}

/** Result position r meets output o at tap t where o x stride + t = r + pad; `made` is a multiple of the stride. */
function backward(made: number, kernel: number, stride: number, pad: number): StripAxis {
  const before = Math.floor((kernel - 1 - pad) / stride);
  const met = Math.floor((made - 1 + pad) / stride) + before + 1;
  const along = { met, first: -before, advance: made / stride };
  return { made, ...along, step: stride, back: 1, use: 1, turn: 0, shift: pad + before * stride };
}

/** Positions that the next step meets again. */
export function keptOf({ met, advance }: StripAxis): number {
  return Math.max(met - advance, 0);
}
