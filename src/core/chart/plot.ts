import type { Range } from './axis.ts';
import type { Frame } from './frame.ts';
import type { Point } from './geometry.ts';
import type { CeilingLine } from './panel.ts';

/** Where to draw: the origin is the plot's top left corner, the unit a CSS pixel. */
export interface Plot {
  readonly frame: Frame;
  readonly width: number;
  readonly height: number;
  /** flop/byte to pixels from the left. */
  readonly x: (intensity: number) => number;
  /** flop/s to pixels from the top. */
  readonly y: (flopsPerSecond: number) => number;
  /** Width of a text in pixels. */
  readonly textWidth: (text: string, bold: boolean) => number;
}

/** A plot of a size; both axes are logarithmic. */
export function plotOf(
  frame: Frame,
  { width, height }: { readonly width: number; readonly height: number },
  textWidth: Plot['textWidth'],
): Plot {
  const alongX = alongLogarithmic(frame.x);
  const alongY = alongLogarithmic(frame.y);
  return {
    frame,
    width,
    height,
    x: (intensity) => width * alongX(intensity),
    y: (flopsPerSecond) => height * (1 - alongY(flopsPerSecond)),
    textWidth,
  };
}

/** How far along a logarithmic range values are, 0 to 1 within it. */
function alongLogarithmic({ min, max }: Range): (value: number) => number {
  const scale = 1 / Math.log(max / min);
  return (value) => Math.log(value / min) * scale;
}

export function toPixels(
  plot: Pick<Plot, 'x' | 'y'>,
  mark: { readonly intensity: number; readonly flopsPerSecond: number },
): Point {
  return { x: plot.x(mark.intensity), y: plot.y(mark.flopsPerSecond) };
}

/** The two ends of a ceiling within the frame's width, in pixels, left to right. */
export function ceilingEnds(
  plot: Plot,
  { kind, ridge: met, value: own }: CeilingLine,
  value = own,
): readonly [Point, Point] {
  const { min, max } = plot.frame.x;
  const ridge = met ?? (kind === 'compute' ? min : max);
  const [from, to] = kind === 'compute' ? [Math.max(min, ridge), max] : [min, Math.min(max, ridge)];
  const at = (intensity: number): Point => ({
    x: plot.x(intensity),
    y: plot.y(kind === 'compute' ? value : value * intensity),
  });
  return [at(from), at(Math.max(from, to))];
}
