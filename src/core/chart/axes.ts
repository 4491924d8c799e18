import { logTicks, tickLabel, type Range } from './axis.ts';
import type { Point } from './geometry.ts';
import type { Plot } from './plot.ts';
import type { ChartColor, Scene, ScenePath, SceneText } from './scene.ts';

export const intensityAxis = 'Arithmetic intensity (FLOP/byte), memory';
export const performanceAxis = 'Performance (GFLOP/s)';
/** Unit of the performance axis, in flop/s. */
export const performanceUnit = 1e9;

/** Room that the ticks' labels take, in pixels. */
export const axisRoom = { left: 52, bottom: 30, top: 8, right: 16 } as const;

/** Grid, ticks' labels and borders about a plot: what the page's chart library draws, for the SVG. */
export function drawAxes(plot: Plot): Scene {
  const { width, height, frame } = plot;
  const columns = labelledTicks(frame.x, 1).map(({ value, label }) => ({
    x: plot.x(value),
    label,
  }));
  const rows = labelledTicks(frame.y, performanceUnit).map(({ value, label }) => ({
    y: plot.y(value),
    label,
  }));
  const corner = { x: 0, y: height };
  return [
    ...columns.map(({ x }) => line('hairline', { x, y: 0 }, { x, y: height })),
    ...rows.map(({ y }) => line('hairline', { x: 0, y }, { x: width, y })),
    line('muted', { x: 0, y: 0 }, corner, { x: width, y: height }),
    ...columns.map(({ x, label }) => text(label, x, height + 15)),
    ...rows.map(({ y, label }) => text(label, -6 - plot.textWidth(label, false) / 2, y)),
  ];
}

function labelledTicks(range: Range, unit: number) {
  return logTicks(range)
    .filter(({ major }) => major)
    .map(({ value }) => ({ value, label: tickLabel(value / unit) }));
}

function line(color: ChartColor, ...points: readonly Point[]): ScenePath {
  return { kind: 'path', points, color, width: 1, dash: [] };
}

function text(content: string, x: number, y: number): SceneText {
  return { kind: 'text', text: content, x, y, angle: 0, bold: false, color: 'muted' };
}
