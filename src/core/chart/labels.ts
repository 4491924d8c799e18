import type { Box, LabelRequest, Point } from './geometry.ts';
import type { CeilingLine } from './panel.ts';
import type { Plot } from './plot.ts';
import type { ChartColor } from './scene.ts';
import { shortened } from './wrapText.ts';

/** A text of the chart with the places it may go to. */
export interface ChartLabel extends LabelRequest {
  readonly text: string;
  readonly bold: boolean;
  readonly color: ChartColor;
}

const textHeight = 14;
const gap = 5;

/**
 * A label of a ceiling. A flat one's slides from the right edge leftwards, above the line, else
 * below. A diagonal one's runs along it from the lower left; where too little of the line is in the
 * frame it stands at its ridge point.
 */
export function lineLabel(
  plot: Plot,
  line: CeilingLine,
  [start, end]: readonly [Point, Point],
  color: ChartColor,
  owner: string | undefined,
): ChartLabel {
  const bold = line.role === 'roof';
  const text = lineText(plot, line, bold, owner);
  const width = widthOf(plot, text, bold);
  const candidates =
    line.kind === 'compute'
      ? flatPlaces(plot, start.y, width)
      : [...slopedPlaces(start, end, width), ...ridgePlaces(end, width)];
  return { text, bold, color, candidates };
}

/** Of a line of one of several panels whose it is, and its rate; else its whole label if it fits. */
function lineText(
  plot: Plot,
  { label, rate }: CeilingLine,
  bold: boolean,
  owner: string | undefined,
): string {
  const width = (text: string): number => widthOf(plot, text, bold);
  if (owner !== undefined) return `${shortened(owner, 0.3 * plot.width, width)}: ${rate}`;
  return width(label) < 0.8 * plot.width ? label : rate;
}

function widthOf(plot: Plot, text: string, bold: boolean): number {
  return plot.textWidth(text, bold) + 2;
}

/** Distance of a label's middle from its line. */
const away = textHeight / 2 + gap;
const step = 12;

function flatPlaces(plot: Plot, y: number, width: number): readonly Box[] {
  return [-away, away].flatMap((offset) =>
    range(plot.width - width / 2 - 6, width / 2, -step).map((x) => box(x, y + offset, width)),
  );
}

function slopedPlaces(start: Point, end: Point, width: number): readonly Box[] {
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return [-away, away].flatMap((offset) =>
    range(width / 2 + 6, length - width / 2 - 6, step).map((along) =>
      box(start.x + along * cos - offset * sin, start.y + along * sin + offset * cos, width, angle),
    ),
  );
}

function ridgePlaces({ x, y }: Point, width: number): readonly Box[] {
  return [-away, away].flatMap((offset) =>
    [0, -width / 2, width / 2].map((shift) => box(x + shift, y + offset, width)),
  );
}

function box(x: number, y: number, width: number, angle = 0): Box {
  return { x, y, width, height: textHeight, angle };
}

/** No line is so long that its label needs more places to slide to. */
const mostPlaces = 200;

/** Numbers from `first` towards `last` in steps. */
function range(first: number, last: number, by: number): readonly number[] {
  const count = Math.min(mostPlaces, Math.floor((last - first) / by) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * by);
}

/** A label beside a mark, tried in eight directions and two distances. */
export function markLabel(
  plot: Plot,
  text: string,
  { x, y }: Point,
  color: ChartColor,
): ChartLabel {
  const width = widthOf(plot, text, true);
  const candidates = [10, 22].flatMap((distance) =>
    [
      [1, 0],
      [-1, 0],
      [0, -1],
      [0, 1],
      [1, -1],
      [-1, -1],
      [1, 1],
      [-1, 1],
    ].map(([right = 0, down = 0]) =>
      box(
        x + right * (distance + width / 2),
        y + down * (distance + (right === 0 ? textHeight / 2 : 0)),
        width,
      ),
    ),
  );
  return { text, bold: true, color, candidates };
}

/** The ridge point's label: below it, where the chart is free of ceilings. */
export function ridgeLabel(plot: Plot, text: string, at: Point, color: ChartColor): ChartLabel {
  const label = markLabel(plot, text, at, color);
  const below = label.candidates.filter(({ y }) => y > at.y);
  return { ...label, candidates: [...below, ...label.candidates] };
}
