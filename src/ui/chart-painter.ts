import { growthOf } from '../core/roofline/segments.ts';
import {
  arrowheads,
  placeLabels,
  segmentBoxes,
  type Box,
  type Point,
} from '../core/chart/geometry.ts';
import {
  panelMarks,
  type CeilingLine,
  type ChartPanel,
  type TrajectoryLine,
  type TrajectoryMark,
} from '../core/chart/panel.ts';
import { lineLabel, markLabel, ridgeLabel, type ChartLabel } from './chart-labels.ts';
import { ceilingEnds, toPixels, type Plot } from './chart-plot.ts';

const markRadius = 3.5;
const arrowSpacing = 18;

/** Draws a device's ceilings, ridge points and trajectories, then the labels that find room. */
export function paintPanel(plot: Plot, panel: ChartPanel): void {
  const { context, width, height } = plot;
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  context.lineJoin = 'round';
  shadeUnderRoof(plot, panel);
  for (const role of ['part', 'level', 'roof'] as const)
    for (const line of panel.ceilings) if (line.role === role) paintCeiling(plot, line);
  for (const ridge of panel.ridges)
    if (ridge.role === 'roof') paintRing(plot, toPixels(plot, ridge), 4.5);
    else paintRing(plot, toPixels(plot, ridge), 2.5);
  for (const trajectory of panel.trajectories) paintTrajectory(plot, trajectory);
  paintLabels(plot, panel);
  context.restore();
}

function roofLines(panel: ChartPanel): readonly CeilingLine[] {
  return panel.ceilings.filter(({ role }) => role === 'roof');
}

/** A tint under the roof: what lies in it is attainable. */
function shadeUnderRoof(plot: Plot, panel: ChartPanel): void {
  const compute = roofLines(panel).find(({ kind }) => kind === 'compute');
  const memory = roofLines(panel).find(({ kind }) => kind === 'bandwidth');
  if (!compute || !memory) return;
  const { context, height, theme } = plot;
  const [start, ridge] = ceilingEnds(plot, memory);
  const end = { x: plot.x(plot.frame.x.max), y: plot.y(compute.value) };
  context.fillStyle = theme.shade;
  context.beginPath();
  context.moveTo(start.x, height);
  context.lineTo(start.x, start.y);
  context.lineTo(ridge.x, ridge.y);
  context.lineTo(end.x, end.y);
  context.lineTo(end.x, height);
  context.fill();
}

function paintCeiling(plot: Plot, line: CeilingLine): void {
  const { context, theme } = plot;
  const roof = line.role === 'roof';
  const [start, end] = ceilingEnds(plot, line);
  context.strokeStyle = roof ? theme.ink : theme.muted;
  context.lineWidth = roof ? 2 : 1;
  context.setLineDash({ roof: [], level: [6, 4], part: [1.5, 3] }[line.role]);
  context.beginPath();
  context.moveTo(start.x, start.y);
  context.lineTo(end.x, end.y);
  context.stroke();
  context.setLineDash([]);
}

function paintRing(plot: Plot, { x, y }: Point, radius: number): void {
  const { context, theme } = plot;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = theme.surface;
  context.fill();
  context.strokeStyle = theme.ink;
  context.lineWidth = 1.5;
  context.stroke();
}

function paintTrajectory(plot: Plot, trajectory: TrajectoryLine): void {
  const { context, theme } = plot;
  const color = theme[growthOf(trajectory.parameter)];
  const points = trajectory.marks.map((mark) => toPixels(plot, mark));
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = 1.75;
  context.setLineDash(growthOf(trajectory.parameter) === 'work' ? [] : [4, 3]);
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
  context.stroke();
  context.setLineDash([]);
  for (const { x, y, angle } of arrowheads(points, arrowSpacing)) {
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.beginPath();
    context.moveTo(5, 0);
    context.lineTo(-4, -4);
    context.lineTo(-4, 4);
    context.closePath();
    context.fill();
    context.restore();
  }
  for (const [index, mark] of trajectory.marks.entries())
    paintMark(plot, trajectory, mark, index === trajectory.marks.length - 1);
}

/** A circle where work grows, a square where parallelism does; filled at the trajectory's end. */
function paintMark(
  plot: Plot,
  { parameter }: TrajectoryLine,
  mark: TrajectoryMark,
  last: boolean,
): void {
  const { context, theme } = plot;
  const { x, y } = toPixels(plot, mark);
  context.beginPath();
  if (growthOf(parameter) === 'work') context.arc(x, y, markRadius, 0, 2 * Math.PI);
  else context.rect(x - markRadius, y - markRadius, 2 * markRadius, 2 * markRadius);
  context.fillStyle = last ? theme[growthOf(parameter)] : theme.surface;
  context.fill();
  context.strokeStyle = theme[growthOf(parameter)];
  context.lineWidth = 1.5;
  context.stroke();
  if (!mark.aboveRoof) return;
  context.beginPath();
  context.arc(x, y, 2.5 * markRadius, 0, 2 * Math.PI);
  context.strokeStyle = theme.flag;
  context.stroke();
}

/** Labels in the order of their claim to room: the roof, the trajectories' ends, the rest. */
function paintLabels(plot: Plot, panel: ChartPanel): void {
  const byRole = (...roles: readonly CeilingLine['role'][]): readonly ChartLabel[] =>
    panel.ceilings.flatMap((line) => {
      const ends = ceilingEnds(plot, line);
      const visible = ends[1].x > 0 && ends[0].x < plot.width;
      return visible && roles.includes(line.role) ? [lineLabel(plot, line, ends)] : [];
    });
  const labels: readonly ChartLabel[] = [
    ...byRole('roof'),
    ...panel.trajectories.flatMap((trajectory) => endLabels(plot, trajectory)),
    ...panel.ridges
      .filter(({ role }) => role === 'roof')
      .map((ridge) => ridgeLabel(plot, ridge, toPixels(plot, ridge))),
    ...byRole('level', 'part'),
  ];
  const size = 2 * markRadius + 2;
  const marks = panelMarks(panel).map((mark): Box => {
    const { x, y } = toPixels(plot, mark);
    return { x, y, width: size, height: size, angle: 0 };
  });
  const paths = [
    ...panel.ceilings.map((line) => ceilingEnds(plot, line)),
    ...panel.trajectories.map((line) => line.marks.map((mark) => toPixels(plot, mark))),
  ];
  const lines = paths.flatMap(segmentBoxes);
  const places = placeLabels(labels, marks, lines, plot.width, plot.height);
  for (const [index, label] of labels.entries()) {
    const place = places[index];
    if (place) paintLabel(plot, label, place);
  }
}

/** The first and the last mark's labels, and the flag of a mark above the roof. */
function endLabels(plot: Plot, { parameter, marks }: TrajectoryLine): readonly ChartLabel[] {
  const ends = marks.filter((_, index) => index === 0 || index === marks.length - 1);
  const above = marks.filter(({ aboveRoof }) => aboveRoof);
  return [
    ...ends.map((mark) =>
      markLabel(plot, mark.label, toPixels(plot, mark), plot.theme[growthOf(parameter)]),
    ),
    ...above.map((mark) =>
      markLabel(plot, 'above the roof', toPixels(plot, mark), plot.theme.flag),
    ),
  ];
}

function paintLabel({ context, theme }: Plot, label: ChartLabel, place: Box): void {
  context.save();
  context.font = label.font;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.translate(place.x, place.y);
  context.rotate(place.angle);
  // A halo in the surface's colour keeps the text readable where a line passes under it.
  context.strokeStyle = theme.surface;
  context.lineWidth = 3;
  context.strokeText(label.text, 0, 0);
  context.fillStyle = label.color;
  context.fillText(label.text, 0, 0);
  context.restore();
}
