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

/** Boxes by where they are in a plot, so that a label is tried only against those near it. */
class BoxGrid {
  readonly #columns: number;
  readonly #rows: number;
  readonly #cells = new Map<number, Box[]>();

  constructor(width: number, height: number) {
    this.#columns = Math.ceil(width / cellSide);
    this.#rows = Math.ceil(height / cellSide);
  }

  add(box: Box): void {
    for (const cell of this.#cellsOf(box)) {
      const there = this.#cells.get(cell);
      if (there) there.push(box);
      else this.#cells.set(cell, [box]);
    }
  }

  touches(box: Box): boolean {
    return this.#cellsOf(box).some((cell) =>
      (this.#cells.get(cell) ?? []).some((other) => overlaps(box, other)),
    );
  }

  /** The plot's cells that a box's bounds meet: of what lies outside nothing is known or asked. */
  #cellsOf({ x, y, width, height, angle }: Box): readonly number[] {
    const cos = Math.abs(Math.cos(angle));
    const sin = Math.abs(Math.sin(angle));
    const halfX = (width * cos + height * sin) / 2;
    const halfY = (width * sin + height * cos) / 2;
    const lastColumn = Math.min(this.#columns - 1, cellAt(x + halfX));
    const lastRow = Math.min(this.#rows - 1, cellAt(y + halfY));
    const cells: number[] = [];
    for (let column = Math.max(0, cellAt(x - halfX)); column <= lastColumn; column += 1)
      for (let row = Math.max(0, cellAt(y - halfY)); row <= lastRow; row += 1)
        cells.push(column * this.#rows + row);
    return cells;
  }
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
  const taken = gridOf(marks, width, height);
  const crossed = gridOf(lines, width, height);
  return requests.map(({ candidates }) => {
    const place = bestPlace(candidates, taken, crossed, width, height);
    if (place) taken.add(place);
    return place;
  });
}

/** The first free place that crosses no line, else the first free one. */
function bestPlace(
  candidates: readonly Box[],
  taken: BoxGrid,
  lines: BoxGrid,
  width: number,
  height: number,
): Box | undefined {
  let fallback: Box | undefined;
  for (const box of candidates) {
    if (!inside(box, width, height) || taken.touches(box)) continue;
    if (!lines.touches(box)) return box;
    fallback ??= box;
  }
  return fallback;
}

function gridOf(boxes: readonly Box[], width: number, height: number): BoxGrid {
  const grid = new BoxGrid(width, height);
  for (const box of boxes) grid.add(box);
  return grid;
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
 * or of the longest segment when all are shorter; of more than `most`, so many evenly along it.
 */
export function arrowheads(
  path: readonly Point[],
  leastLength: number,
  most = Infinity,
): readonly Arrowhead[] {
  const all = segments(path);
  const longest = all.reduce((found, { length }) => Math.max(found, length), 0);
  const least = Math.min(leastLength, longest);
  const long = all.filter(({ length }) => length > 0 && length >= least);
  const stride = Math.max(1, long.length / most);
  return long
    .filter((_, index) => Math.floor(index / stride) > Math.floor((index - 1) / stride))
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
