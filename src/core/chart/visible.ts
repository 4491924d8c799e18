import type { Point } from './geometry.ts';
import type { ChartPanel, TrajectoryLine, TrajectoryMark } from './panel.ts';
import { toPixels, type Plot } from './plot.ts';

/** A trajectory as it is drawn: the marks that are shown, the line through all, and where it ends. */
export interface DrawnLine extends TrajectoryLine {
  readonly path: readonly Point[];
  readonly end: TrajectoryMark | undefined;
}

/** A panel with what is drawn of it and nothing else. */
export interface DrawnPanel extends ChartPanel {
  readonly trajectories: readonly DrawnLine[];
}

/** So many marks a chart shows: with more they lie over each other, and each redraw takes longer. */
export const mostMarks = 200;
/** Marks so far outside still reach into the plot, in pixels. */
const margin = 30;
/** Where marks are left out, one stands for all in a cell of this side, which doubles until it suffices. */
const leastCell = 8;
/** More than a plot has in a column. */
const rowsOfCells = 4096;

/**
 * The panels as a plot shows them: without the marks that lie outside of it and, where there are more
 * than `mostMarks`, with one for each place, of several the one that is above its roof, and lines
 * through these. A chart of few marks is drawn whole.
 */
export function visiblePanels(plot: Plot, panels: readonly ChartPanel[]): readonly DrawnPanel[] {
  const placed = new Map<Placed, Point>();
  for (const panel of panels)
    for (const mark of thinnable(panel)) placed.set(mark, toPixels(plot, mark));
  const shown = thinned(plot, placed);
  return panels.map((panel) => ({
    ...panel,
    knee: panel.knee.filter((mark) => shown.has(mark)),
    kernels: panel.kernels.filter((mark) => shown.has(mark)),
    trajectories: panel.trajectories.map((line): DrawnLine => {
      const sides = line.marks.map((mark) => sideOf(plot, placed.get(mark)));
      return {
        ...line,
        marks: line.marks.filter((mark) => shown.has(mark)),
        end: line.marks.at(-1),
        path: line.marks.flatMap((mark, index) =>
          shown.has(mark) || isCrossing(sides, index) ? (placed.get(mark) ?? []) : [],
        ),
      };
    }),
  }));
}

type Placed = Pick<TrajectoryMark, 'intensity' | 'flopsPerSecond'> & {
  readonly aboveRoof?: boolean;
};

function thinnable({ knee, kernels, trajectories }: ChartPanel): readonly Placed[] {
  return [...knee, ...kernels, ...trajectories.flatMap(({ marks }) => marks)];
}

/** The marks to draw. */
function thinned(plot: Plot, placed: ReadonlyMap<Placed, Point>): ReadonlySet<Placed> {
  if (placed.size <= mostMarks) return new Set(placed.keys());
  const inside = [...placed].filter(([, point]) => sideOf(plot, point) === 0);
  if (inside.length <= mostMarks) return new Set(inside.map(([mark]) => mark));
  for (let side = leastCell; ; side *= 2) {
    const cells = oneACell(inside, side);
    if (cells) return new Set(cells);
  }
}

/** A mark for each cell that has some; undefined where those are too many. */
function oneACell(
  marks: readonly (readonly [Placed, Point])[],
  side: number,
): Iterable<Placed> | undefined {
  const cells = new Map<number, Placed>();
  for (const [mark, { x, y }] of marks) {
    const cell = Math.floor((x + margin) / side) * rowsOfCells + Math.floor((y + margin) / side);
    if (!cells.has(cell) || mark.aboveRoof === true) cells.set(cell, mark);
    if (cells.size > mostMarks) return undefined;
  }
  return cells.values();
}

/** 0 in the plot and close to it; else a number for the side, or the corner, on which a point is. */
function sideOf({ width, height }: Plot, { x, y }: Point = { x: 0, y: 0 }): number {
  const column = x < -margin ? 1 : x > width + margin ? 2 : 0;
  const row = y < -margin ? 3 : y > height + margin ? 6 : 0;
  return column + row;
}

/** Whether a path needs a point outside of the plot: from it on, or up to it, the path may be seen. */
function isCrossing(sides: readonly number[], index: number): boolean {
  const own = sides[index];
  if (own === 0) return false;
  const before = sides[index - 1];
  const after = sides[index + 1];
  return (before !== undefined && before !== own) || (after !== undefined && after !== own);
}
