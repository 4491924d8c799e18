import type { Frame } from '../core/chart/frame.ts';
import type { Point } from '../core/chart/geometry.ts';
import type { CeilingLine } from '../core/chart/panel.ts';
import type { ChartTheme } from './chart-theme.ts';

/** Where to draw: a context whose origin is the plot's top left corner and whose unit is 1 CSS pixel. */
export interface Plot {
  readonly context: CanvasRenderingContext2D;
  readonly theme: ChartTheme;
  readonly frame: Frame;
  readonly width: number;
  readonly height: number;
  /** flop/byte to pixels from the left. */
  readonly x: (intensity: number) => number;
  /** flop/s to pixels from the top. */
  readonly y: (flopsPerSecond: number) => number;
}

export function toPixels(
  plot: Pick<Plot, 'x' | 'y'>,
  mark: { readonly intensity: number; readonly flopsPerSecond: number },
): Point {
  return { x: plot.x(mark.intensity), y: plot.y(mark.flopsPerSecond) };
}

/** The two ends of a ceiling within the frame, in pixels, left to right. */
export function ceilingEnds(plot: Plot, line: CeilingLine): readonly [Point, Point] {
  const { min, max } = plot.frame.x;
  const ridge = line.ridge ?? (line.kind === 'compute' ? min : max);
  const [from, to] =
    line.kind === 'compute' ? [Math.max(min, ridge), max] : [min, Math.min(max, ridge)];
  const at = (intensity: number): Point => ({
    x: plot.x(intensity),
    y: plot.y(line.kind === 'compute' ? line.value : line.value * intensity),
  });
  return [at(from), at(Math.max(from, to))];
}
