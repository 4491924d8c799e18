import type { Curve, Plateau, PlateauRules } from './plateaus.ts';

/** Where one plateau gives way to the next, in natural logarithms of working sets. */
export interface Edge {
  /** Geometric middle of the transition. */
  readonly middle: number;
  /** The last working set of the upper plateau before the fall, the first near the lower one after it. */
  readonly low: number;
  readonly high: number;
}

/** Heights between the lower plateau, 0, and the upper one, 1: from here up a point is inside the level, */
const insideHeight = 0.75;
/** and from here down outside of it. */
const outsideHeight = 0.25;

/**
 * The edge between two plateaus. Each point between them counts as inside the upper level by how far it
 * lies above the middle of the two (all from three quarters of the way up, none below one quarter), and
 * the inside lengths are summed. Any one point may have been disturbed: each is left out in turn, and of
 * the lengths that leave the curve falling the middle of the least and the most counts. The fall begins
 * behind the last of the points that are all on the upper plateau, and has ended with the first from which
 * on all are outside.
 */
export function edge(curve: Curve, upper: Plateau, lower: Plateau, rules: PlateauRules): Edge {
  // A spike may have been taken for a plateau's end: start and stop two points further out.
  const start = Math.max(upper.first, upper.last - 2);
  const stop = Math.min(lower.last, lower.first + 2);
  const sizes = curve.sizes.slice(start, stop + 1);
  const fall = upper.center - lower.center;
  const heights = curve.rates.slice(start, stop + 1).map((rate) => (rate - lower.center) / fall);
  const middle = sizes[0]! + middleLength(sizes, heights, rules.tolerance / fall);
  const plateauHeight = Math.max(insideHeight, 1 - rules.tolerance / fall);
  const left = heights.findIndex((height) => height < plateauHeight);
  const right = heights.findLastIndex((height) => height > outsideHeight);
  return {
    middle,
    low: Math.min(middle, sizes[Math.max(0, left - 1)]!),
    high: Math.max(middle, sizes[Math.min(sizes.length - 1, right + 1)]!),
  };
}

/** How much of the sizes is inside, whichever one point is wrong; heights may rise so far by noise alone. */
function middleLength(sizes: readonly number[], heights: readonly number[], noise: number): number {
  const ways = heights.map((_, index) => without(heights, index));
  const leastRise = Math.min(...ways.map(largestRise));
  const lengths = ways
    .filter((way) => largestRise(way) <= leastRise + noise)
    .map((way) => insideLength(sizes, way));
  return (Math.min(...lengths) + Math.max(...lengths)) / 2;
}

/** Heights with that of one point read off its neighbours; the ends stay. */
function without(heights: readonly number[], index: number): readonly number[] {
  const [before, after] = [heights[index - 1], heights[index + 1]];
  return before === undefined || after === undefined
    ? heights
    : heights.with(index, (before + after) / 2);
}

function largestRise(heights: readonly number[]): number {
  return Math.max(0, ...heights.slice(1).map((height, index) => height - heights[index]!));
}

function insideLength(sizes: readonly number[], heights: readonly number[]): number {
  const shares = heights.map((height) =>
    Math.min(1, Math.max(0, (height - outsideHeight) / (insideHeight - outsideHeight))),
  );
  return shares.slice(1).reduce((length, share, index) => {
    const step = sizes[index + 1]! - sizes[index]!;
    return length + (step * (share + shares[index]!)) / 2;
  }, 0);
}
