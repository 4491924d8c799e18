import { groupBy } from '../groupBy.ts';
import { growthOf } from '../roofline/segments.ts';
import {
  arrowheads,
  placeLabels,
  segmentBoxes,
  type Arrowhead,
  type Box,
  type Point,
} from './geometry.ts';
import { lineLabel, markLabel, ridgeLabel, type ChartLabel } from './labels.ts';
import {
  panelMarks,
  type CeilingLine,
  type ChartPanel,
  type KernelMark,
  type KneeMark,
  type TrajectoryLine,
  type TrajectoryMark,
  type WhiskerKind,
} from './panel.ts';
import { ceilingEnds, toPixels, type Plot } from './plot.ts';
import type { ChartColor, Scene, SceneMark, ScenePath, SceneShape } from './scene.ts';
import { visiblePanels, type DrawnLine, type DrawnPanel } from './visible.ts';
import { wrapText } from './wrapText.ts';

const markRadius = 3.5;
const arrowSpacing = 18;
/** Of one trajectory. */
const mostArrows = 20;
/** Radius of a kind of calls that takes all of the time. */
const largestBubble = 24;

/**
 * The picture of one panel, or of several over each other: ceilings, ridge points, trajectories and,
 * on top, the labels that find room. Each of several is drawn in its accent colour. A note, such as
 * whose numbers these are, stands at the bottom.
 */
export function drawPanels(plot: Plot, all: readonly ChartPanel[], note = ''): Scene {
  const panels = visiblePanels(plot, all);
  const noteLines = placeNote(plot, note);
  return [
    ...panels.flatMap((panel) => drawPanel(plot, panel)),
    ...drawLabels(plot, panels, noteLines),
    ...noteLines.map(({ x, y, text }): SceneMark => {
      return { kind: 'text', text, x, y, angle: 0, bold: true, color: 'ink' };
    }),
  ];
}

const noteLineHeight = 17;

/** The note in lines that fit, the last one at the bottom. */
function placeNote(plot: Plot, note: string): readonly (Box & { readonly text: string })[] {
  const widthOf = (line: string): number => plot.textWidth(line, true);
  const lines = wrapText(note, plot.width - 16, widthOf);
  return lines.map((text, index) => ({
    text,
    x: plot.width / 2,
    y: plot.height - 14 - noteLineHeight * (lines.length - 1 - index),
    width: widthOf(text),
    height: 18,
    angle: 0,
  }));
}

function drawPanel(plot: Plot, panel: DrawnPanel): Scene {
  const ink = colorOf(panel, 'ink');
  return [
    ...(panel.overlay ? [] : shadeUnderRoof(plot, panel)),
    ...panel.ceilings.flatMap((line) => ceilingBand(plot, line, ink)),
    ...(['part', 'precision', 'level', 'roof'] as const).flatMap((role) =>
      panel.ceilings
        .filter((line) => line.role === role)
        .map((line) => ceilingPath(plot, line, panel)),
    ),
    ...panel.ridges.map((ridge): SceneShape => ({
      ...shape('circle', toPixels(plot, ridge), ridge.role === 'roof' ? 4.5 : 2.5),
      fill: 'surface',
      stroke: ink,
    })),
    ...kernelShapes(plot, panel),
    ...panel.knee.flatMap((mark) => kneeShapes(plot, mark, ink)),
    ...panel.trajectories.flatMap((line) => trajectoryShapes(plot, line, panel)),
  ];
}

/** A panel's own colour, or the accent that tells it from the others of the chart. */
function colorOf({ overlay }: ChartPanel, own: ChartColor): ChartColor {
  return overlay ? `accent-${overlay.accent}` : own;
}

function lineColor(panel: ChartPanel, { parameter }: TrajectoryLine): ChartColor {
  return colorOf(panel, growthOf(parameter));
}

function shape(kind: SceneShape['shape'], { x, y }: Point, size: number): SceneShape {
  return { kind: 'shape', shape: kind, x, y, size, angle: 0, width: 1.5 };
}

function arrow({ x, y, angle }: Arrowhead, fill: ChartColor): SceneShape {
  return { kind: 'shape', shape: 'arrow', x, y, size: 5, angle, width: 1.5, fill };
}

function path(
  points: readonly Point[],
  color: ChartColor,
  width: number,
  dash: readonly number[] = [],
): ScenePath {
  return { kind: 'path', points, color, width, dash };
}

/** A tint under the roof: what lies in it is attainable. */
function shadeUnderRoof(plot: Plot, { ceilings }: ChartPanel): Scene {
  const roof = ceilings.filter(({ role }) => role === 'roof');
  const compute = roof.find(({ kind }) => kind === 'compute');
  const memory = roof.find(({ kind }) => kind === 'bandwidth');
  if (!compute || !memory) return [];
  const { height } = plot;
  const [start, ridge] = ceilingEnds(plot, memory);
  const end = { x: plot.x(plot.frame.x.max), y: plot.y(compute.value) };
  const points = [{ x: start.x, y: height }, start, ridge, end, { x: end.x, y: height }];
  return [{ kind: 'area', points, color: 'shade', opacity: 1 }];
}

/** The interval of a ceiling as a strip along it. */
function ceilingBand(plot: Plot, line: CeilingLine, color: ChartColor): Scene {
  if (!line.band) return [];
  const [low, high] = [line.band.low, line.band.high].map((value) =>
    ceilingEnds(plot, line, value),
  );
  if (!low || !high) return [];
  return [{ kind: 'area', points: [...high, ...low.toReversed()], color, opacity: 0.18 }];
}

const dashes: Readonly<Record<CeilingLine['role'], readonly number[]>> = {
  roof: [],
  level: [6, 4],
  precision: [10, 3, 2, 3],
  part: [1.5, 3],
};

function ceilingPath(plot: Plot, line: CeilingLine, panel: ChartPanel): ScenePath {
  const roof = line.role === 'roof';
  const color = colorOf(panel, roof ? 'ink' : 'muted');
  const series = `${panel.device} ${line.id}`;
  return { ...path(ceilingEnds(plot, line), color, roof ? 2 : 1, dashes[line.role]), series };
}

/** The trajectory of each kind of calls, thin, with a ring at each point. */
function kernelShapes(plot: Plot, panel: DrawnPanel): Scene {
  const color = colorOf(panel, 'work');
  const kinds = groupBy(panel.kernels, ({ kind }) => kind);
  const lines = kinds.map((marks): ScenePath => {
    const points = marks.map((mark) => toPixels(plot, mark));
    return Object.assign(path(points, color, 1), { series: `${panel.device} ${marks[0]!.kind}` });
  });
  return [...lines, ...panel.kernels.map((mark) => bubble(plot, mark, color))];
}

/** A ring whose area is the kind's share of the time. */
function bubble(plot: Plot, mark: KernelMark, stroke: ChartColor): SceneShape {
  const size = largestBubble * Math.sqrt(mark.share);
  return { ...shape('circle', toPixels(plot, mark), size), stroke };
}

/** A diamond with its interval. */
function kneeShapes(plot: Plot, mark: KneeMark, color: ChartColor): Scene {
  const at = toPixels(plot, mark);
  return [
    ...bandPath(plot, mark, mark.band, color),
    { ...shape('diamond', at, 3.5), fill: 'surface', stroke: color },
  ];
}

/** An upright line from one end of an interval to the other. */
function bandPath(
  plot: Plot,
  { intensity }: { readonly intensity: number },
  band: KneeMark['band'] | undefined,
  color: ChartColor,
): Scene {
  if (!band) return [];
  const x = plot.x(intensity);
  const ends = [
    { x, y: plot.y(band.low) },
    { x, y: plot.y(band.high) },
  ];
  return [path(ends, color, 1.25)];
}

function trajectoryShapes(plot: Plot, line: DrawnLine, panel: ChartPanel): Scene {
  const color = lineColor(panel, line);
  const dash = growthOf(line.parameter) === 'work' ? [] : [4, 3];
  return [
    ...line.marks.flatMap((mark) => whiskers(plot, mark, color)),
    { ...path(line.path, color, 1.75, dash), series: `${panel.device} ${line.parameter}` },
    ...arrowheads(line.path, arrowSpacing, mostArrows).map((at) => arrow(at, color)),
    ...line.marks.flatMap((mark) => [
      ...bandPath(plot, mark, mark.band, color),
      ...markShapes(plot, line, mark, color),
    ]),
  ];
}

const whiskerDashes: Readonly<Record<WhiskerKind, readonly number[]>> = {
  issued: [],
  bound: [2, 2],
};

/** From a point to its intensity by other bytes. */
function whiskers(plot: Plot, mark: TrajectoryMark, color: ChartColor): Scene {
  const { x, y } = toPixels(plot, mark);
  return mark.whiskers.flatMap(({ kind, intensity }) => {
    const end = plot.x(intensity);
    const line = [
      { x: end, y },
      { x, y },
    ];
    const cap = [
      { x: end, y: y - 4 },
      { x: end, y: y + 4 },
    ];
    return [path(line, color, 1, whiskerDashes[kind]), path(cap, color, 1)];
  });
}

/** A circle where work grows, a square where parallelism does; filled at the trajectory's end. */
function markShapes(
  plot: Plot,
  { parameter, end }: DrawnLine,
  mark: TrajectoryMark,
  color: ChartColor,
): Scene {
  const at = toPixels(plot, mark);
  const kind = growthOf(parameter) === 'work' ? 'circle' : 'square';
  const own: SceneShape = {
    ...shape(kind, at, markRadius),
    fill: mark === end ? color : 'surface',
    stroke: color,
  };
  if (!mark.aboveRoof) return [own];
  return [own, { ...shape('circle', at, 2.5 * markRadius), stroke: 'flag' }];
}

/** Labels in the order of their claim to room: the roofs, the trajectories' ends, the rest. */
function drawLabels(plot: Plot, panels: readonly DrawnPanel[], taken: readonly Box[]): Scene {
  const labels: readonly ChartLabel[] = [
    ...panels.flatMap((panel) => ceilingLabels(plot, panel, ['roof'])),
    ...panels.flatMap((panel) =>
      panel.trajectories.flatMap((line) => endLabels(plot, line, panel)),
    ),
    ...panels.flatMap((panel) =>
      panel.ridges
        .filter(({ role }) => role === 'roof')
        .map((ridge) =>
          ridgeLabel(plot, ridge.label, toPixels(plot, ridge), colorOf(panel, 'muted')),
        ),
    ),
    ...panels.flatMap((panel) =>
      panel.kernels
        .filter(({ last }) => last)
        .map((mark) => markLabel(plot, mark.label, toPixels(plot, mark), colorOf(panel, 'work'))),
    ),
    ...panels.flatMap((panel) => ceilingLabels(plot, panel, ['level', 'precision', 'part'])),
  ];
  const size = 2 * markRadius + 2;
  const marks = panels.flatMap(panelMarks).map((mark): Box => {
    const { x, y } = toPixels(plot, mark);
    return { x, y, width: size, height: size, angle: 0 };
  });
  const paths = panels.flatMap(({ ceilings, trajectories }) => [
    ...ceilings.map((line) => ceilingEnds(plot, line)),
    ...trajectories.map((line) => line.path),
  ]);
  const places = placeLabels(
    labels,
    [...taken, ...marks],
    paths.flatMap(segmentBoxes),
    plot.width,
    plot.height,
  );
  return labels.flatMap(({ text, bold, color }, index): Scene => {
    const place = places[index];
    return place
      ? [{ kind: 'text', text, bold, color, x: place.x, y: place.y, angle: place.angle }]
      : [];
  });
}

function ceilingLabels(
  plot: Plot,
  panel: ChartPanel,
  roles: readonly CeilingLine['role'][],
): readonly ChartLabel[] {
  return panel.ceilings.flatMap((line) => {
    const ends = ceilingEnds(plot, line);
    const visible = ends[1].x > 0 && ends[0].x < plot.width && roles.includes(line.role);
    if (!visible) return [];
    const color = colorOf(panel, line.role === 'roof' ? 'ink' : 'muted');
    return [lineLabel(plot, line, ends, color, panel.overlay?.name)];
  });
}

/** The first and the last mark's labels, those of the last one's whiskers, and flags above the roof. */
function endLabels(plot: Plot, line: TrajectoryLine, panel: ChartPanel): readonly ChartLabel[] {
  const { marks } = line;
  const color = lineColor(panel, line);
  const ends = marks.filter((_, index) => index === 0 || index === marks.length - 1);
  const above = marks.filter(({ aboveRoof }) => aboveRoof);
  return [
    ...ends.map((mark) => markLabel(plot, mark.label, toPixels(plot, mark), color)),
    ...(marks.at(-1)?.whiskers ?? []).map(({ label, intensity }) =>
      markLabel(plot, label, toPixels(plot, { ...marks.at(-1)!, intensity }), color),
    ),
    ...above.map((mark) => markLabel(plot, 'above the roof', toPixels(plot, mark), 'flag')),
  ];
}
