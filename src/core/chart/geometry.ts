// Geometry of the chart in pixels: y grows downward, angles in radians from the x axis towards +y.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle turned about its centre. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
  readonly angle: number;
}

export interface Arrowhead extends Point {
  readonly angle: number;
}

/** A text and the places it could go, best first. */
export interface LabelRequest {
  readonly candidates: readonly Box[];
}

function corners({ x, y, width, height, angle }: Box): readonly Point[] {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([sideX = 0, sideY = 0]) => {
    const alongX = (sideX * width) / 2;
    const alongY = (sideY * height) / 2;
    return { x: x + alongX * cos - alongY * sin, y: y + alongX * sin + alongY * cos };
  });
}

/** True where two turned rectangles touch (separating axis theorem). */
export function overlaps(a: Box, b: Box): boolean {
  const reach = (diagonal(a) + diagonal(b)) / 2;
  const dx = a.x - b.x;
  const dy = a.y - b.y;
  if (dx * dx + dy * dy > reach * reach) return false;
  if (a.angle === 0 && b.angle === 0)
    return 2 * Math.abs(dx) <= a.width + b.width && 2 * Math.abs(dy) <= a.height + b.height;
  const cornersA = corners(a);
  const cornersB = corners(b);
  return [a.angle, a.angle + Math.PI / 2, b.angle, b.angle + Math.PI / 2].every((direction) => {
    const cos = Math.cos(direction);
    const sin = Math.sin(direction);
    const shadowA = cornersA.map(({ x, y }) => x * cos + y * sin);
    const shadowB = cornersB.map(({ x, y }) => x * cos + y * sin);
    return (
      Math.min(...shadowA) <= Math.max(...shadowB) && Math.min(...shadowB) <= Math.max(...shadowA)
    );
  });
}

function diagonal({ width, height }: Box): number {
  return Math.hypot(width, height);
}

/** Side of a cell of the grid, in pixels. */
const cellSide = 32;
/** More than any chart has; cells of other rows may share a number at no harm but time. */
const rowsOfCells = 4096;

/** Boxes by where they are, so that a label is tried only against those near it. */
class BoxGrid {
  readonly #cells = new Map<number, Box[]>();

  add(box: Box): void {
    for (const cell of cellsOf(box)) {
      const there = this.#cells.get(cell);
      if (there) there.push(box);
      else this.#cells.set(cell, [box]);
    }
  }

  touches(box: Box): boolean {
    return cellsOf(box).some((cell) =>
      (this.#cells.get(cell) ?? []).some((other) => overlaps(box, other)),
    );
  }
}

/** The cells that a box's bounds meet. */
function cellsOf({ x, y, width, height, angle }: Box): number[] {
  const cos = Math.abs(Math.cos(angle));
  const sin = Math.abs(Math.sin(angle));
  const halfX = (width * cos + height * sin) / 2;
  const halfY = (width * sin + height * cos) / 2;
  const cells: number[] = [];
  for (let column = cellAt(x - halfX); column <= cellAt(x + halfX); column += 1)
    for (let row = cellAt(y - halfY); row <= cellAt(y + halfY); row += 1)
      cells.push(column * rowsOfCells + row);
  return cells;
}

function cellAt(pixel: number): number {
  return Math.floor(pixel / cellSide);
}

function inside(box: Box, width: number, height: number): boolean {
  return corners(box).every(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height);
}

/**
 * Gives each label the first of its places that lies in the plot and touches neither a mark nor a
 * label placed before, by preference one that crosses no line either; undefined where none is free
 * (the table still has the number). Earlier requests win.
 */
export function placeLabels(
  requests: readonly LabelRequest[],
  marks: readonly Box[],
  lines: readonly Box[],
  width: number,
  height: number,
): readonly (Box | undefined)[] {
  const taken = new BoxGrid();
  // Marks outside of the plot stand in nobody's way.
  for (const mark of marks) if (isNear(mark, width, height)) taken.add(mark);
  return requests.map(({ candidates }) => {
    const place = bestPlace(candidates, taken, lines, width, height);
    if (place) taken.add(place);
    return place;
  });
}

function isNear({ x, y, width, height }: Box, plotWidth: number, plotHeight: number): boolean {
  return (
    Math.abs(x - plotWidth / 2) < plotWidth / 2 + width &&
    Math.abs(y - plotHeight / 2) < plotHeight / 2 + height
  );
}

/** The first free place that crosses no line, else the first free one. */
function bestPlace(
  candidates: readonly Box[],
  taken: BoxGrid,
  lines: readonly Box[],
  width: number,
  height: number,
): Box | undefined {
  let fallback: Box | undefined;
  for (const box of candidates) {
    if (!inside(box, width, height) || taken.touches(box)) continue;
    if (!lines.some((line) => overlaps(line, box))) return box;
    fallback ??= box;
  }
  return fallback;
}

interface Segment extends Arrowhead {
  readonly length: number;
}

/** The middle, direction and length of each of a path's segments. */
function segments(path: readonly Point[]): readonly Segment[] {
  return path.slice(1).map((end, index) => {
    const start = path[index] ?? end;
    const dx = end.x - start.x;
    const dy = end.y - start.y;
    return {
      x: start.x + dx / 2,
      y: start.y + dy / 2,
      angle: Math.atan2(dy, dx),
      length: Math.hypot(dx, dy),
    };
  });
}

/** A path as thin boxes, for labels to keep off. */
export function segmentBoxes(path: readonly Point[]): readonly Box[] {
  return segments(path).map(({ x, y, angle, length }) => ({
    x,
    y,
    width: length,
    height: 1,
    angle,
  }));
}

/**
 * Where a path shows its direction: the middle of each segment of at least `leastLength` pixels,
 * or of the longest segment when all are shorter.
 */
export function arrowheads(path: readonly Point[], leastLength: number): readonly Arrowhead[] {
  const all = segments(path);
  const longest = Math.max(0, ...all.map(({ length }) => length));
  const least = Math.min(leastLength, longest);
  return all
    .filter(({ length }) => length > 0 && length >= least)
    .map(({ x, y, angle }) => ({ x, y, angle }));
}

/** Index of the point nearest to `to` within `radius`; undefined where none is. */
export function nearest(points: readonly Point[], to: Point, radius: number): number | undefined {
  let best: number | undefined;
  let bestDistance = radius;
  for (const [index, { x, y }] of points.entries()) {
    const distance = Math.hypot(x - to.x, y - to.y);
    if (distance > bestDistance) continue;
    best = index;
    bestDistance = distance;
  }
  return best;
}
