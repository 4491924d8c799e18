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
const leastCell = 4;
/** Where marks are left out, the line leaves out turns of less, in pixels. */
const leastTurn = 1;

/**
 * The panels as a plot shows them: without the marks that lie outside of it and, where there are more
 * than `mostMarks`, with one for each place: of several the one that is above its roof. A chart of
 * few marks is drawn whole.
 */
export function visiblePanels(plot: Plot, panels: readonly ChartPanel[]): readonly DrawnPanel[] {
  const placed = new Map<Placed, Point>();
  for (const panel of panels)
    for (const mark of thinnable(panel)) placed.set(mark, toPixels(plot, mark));
  const kept = thinned(plot, placed);
  const crowded = kept !== undefined;
  const shown = <T extends Placed>(marks: readonly T[]): readonly T[] =>
    kept === undefined ? marks : marks.filter((mark) => kept.has(mark));
  return panels.map((panel) => ({
    ...panel,
    knee: shown(panel.knee),
    kernels: shown(panel.kernels),
    trajectories: panel.trajectories.map((line): DrawnLine => {
      const path = line.marks.flatMap((mark) => placed.get(mark) ?? []);
      return {
        ...line,
        marks: shown(line.marks),
        end: line.marks.at(-1),
        path: crowded ? smoothed(visiblePart(path, plot)) : path,
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

/** The marks to draw; undefined where all are. */
function thinned(
  { width, height }: Plot,
  placed: ReadonlyMap<Placed, Point>,
): ReadonlySet<Placed> | undefined {
  if (placed.size <= mostMarks) return undefined;
  const inside = [...placed].filter(
    ([, { x, y }]) => x > -margin && x < width + margin && y > -margin && y < height + margin,
  );
  if (inside.length <= mostMarks) return new Set(inside.map(([mark]) => mark));
  for (let side = leastCell; ; side *= 2) {
    const cells = new Map<string, Placed>();
    for (const [mark, { x, y }] of inside) {
      const cell = `${Math.floor(x / side)} ${Math.floor(y / side)}`;
      if (!cells.has(cell) || mark.aboveRoof === true) cells.set(cell, mark);
    }
    if (cells.size <= mostMarks) return new Set(cells.values());
  }
}

/** Without the points of a path between which it stays outside of the plot on one side. */
function visiblePart(path: readonly Point[], { width, height }: Plot): readonly Point[] {
  const side = ({ x, y }: Point): string =>
    `${x < -margin ? 'left' : x > width + margin ? 'right' : ''}${y < -margin ? 'above' : y > height + margin ? 'below' : ''}`;
  return path.filter((point, index) => {
    const own = side(point);
    if (own === '') return true;
    const before = path[index - 1];
    const after = path[index + 1];
    return (
      before === undefined || after === undefined || side(before) !== own || side(after) !== own
    );
  });
}

/** Without the points that lie less than a turn away from the last one kept; the end stays. */
function smoothed(path: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  for (const [index, point] of path.entries()) {
    const last = kept.at(-1);
    const far = last === undefined || Math.hypot(point.x - last.x, point.y - last.y) >= leastTurn;
    if (far || index === path.length - 1) kept.push(point);
  }
  return kept;
}
