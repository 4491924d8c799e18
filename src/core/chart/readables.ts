import type { Frame } from './frame.ts';
import { nearest, type Point } from './geometry.ts';
import type { CeilingLine, ChartPanel, TrajectoryMark } from './panel.ts';
import { ceilingEnds, toPixels, type Plot } from './plot.ts';

/** Something on the chart that can be read: where it is, and what it says. */
export interface Readable {
  readonly intensity: number;
  readonly flopsPerSecond: number;
  readonly reading: string;
}

/** Everything that can be read, in the order in which the keyboard steps through it. */
export function readables(panels: readonly ChartPanel[], frame: Frame): readonly Readable[] {
  return panels.flatMap((panel) => [
    ...panel.ceilings.map((line) => readableLine(panel, line, frame)),
    ...readableMarks(panel),
  ]);
}

/** The panel's marks, and on each trajectory what lies between two of them. */
function readableMarks(panel: ChartPanel): readonly Readable[] {
  const { ridges, trajectories, knee, kernels } = panel;
  return [
    ...ridges,
    ...trajectories.flatMap(({ marks, segments }) =>
      marks.flatMap((mark, index) => [withWhiskers(mark), ...segments.slice(index, index + 1)]),
    ),
    ...knee,
    ...kernels,
  ].map((mark) => readable(panel, mark));
}

/** A point says what its whiskers are where these are shown. */
function withWhiskers({ whiskers, reading, ...place }: TrajectoryMark): Readable {
  return { ...place, reading: [reading, ...whiskers.map((each) => each.reading)].join(' ') };
}

function readable({ overlay }: ChartPanel, mark: Readable): Readable {
  const { intensity, flopsPerSecond, reading } = mark;
  return { intensity, flopsPerSecond, reading: overlay ? `${overlay.name}: ${reading}` : reading };
}

function readableLine(panel: ChartPanel, line: CeilingLine, frame: Frame): Readable {
  return readable(panel, { ...middle(line, frame), reading: line.reading });
}

/** The middle of the part of a ceiling that is in the frame. */
function middle({ kind, ridge, value }: CeilingLine, { x }: Frame): Omit<Readable, 'reading'> {
  const from = kind === 'compute' ? Math.max(x.min, ridge ?? x.min) : x.min;
  const to = kind === 'compute' ? x.max : Math.min(x.max, ridge ?? x.max);
  const intensity = Math.sqrt(from * Math.max(from, to));
  return { intensity, flopsPerSecond: kind === 'compute' ? value : value * intensity };
}

/** How near the pointer must come to a mark, and to a line, to read it, in pixels. */
const markRadius = 28;
const lineRadius = 9;

/** What is under the pointer: the nearest mark, else the nearest ceiling; undefined far from all. */
export function readableAt(
  plot: Plot,
  panels: readonly ChartPanel[],
  pointer: Point,
): Readable | undefined {
  const marks = panels.flatMap(readableMarks);
  const index = nearest(
    marks.map((mark) => toPixels(plot, mark)),
    pointer,
    markRadius,
  );
  if (index !== undefined) return marks[index];
  const [line] = panels
    .flatMap((panel) =>
      panel.ceilings.map((ceiling) => ({
        distance: distanceTo(ceilingEnds(plot, ceiling), pointer),
        read: () => readableLine(panel, ceiling, plot.frame),
      })),
    )
    .filter(({ distance }) => distance <= lineRadius)
    .toSorted((a, b) => a.distance - b.distance);
  return line?.read();
}

/** From a point to a segment. */
function distanceTo([start, end]: readonly [Point, Point], { x, y }: Point): number {
  const dx = end.x - start.x;
  const dy = end.y - start.y;
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((x - start.x) * dx + (y - start.y) * dy) / length;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - start.x - share * dx, y - start.y - share * dy);
}
