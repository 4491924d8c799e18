import type { Range } from './axis.ts';
import type { Frame } from './frame.ts';

/** The narrowest and the widest part of an axis that a chart shows, in decades. */
const leastDecades = 0.05;
const mostDecades = 14;
/** What any chart of ours may show. */
const limits: Frame = { x: { min: 1e-6, max: 1e8 }, y: { min: 1, max: 1e20 } };

/**
 * The frame at `scale` times its extent in decades (under 1 is closer), about the place that is at
 * the given shares of it from the left and from the bottom.
 */
export function zoomed(
  { x, y }: Frame,
  scale: number,
  [shareX, shareY]: readonly [number, number],
): Frame {
  return {
    x: zoomedRange(x, scale, shareX, limits.x),
    y: zoomedRange(y, scale, shareY, limits.y),
  };
}

/** The frame moved by shares of its extent: positive is right and up. */
export function panned({ x, y }: Frame, [shareX, shareY]: readonly [number, number]): Frame {
  return { x: pannedRange(x, shareX, limits.x), y: pannedRange(y, shareY, limits.y) };
}

function zoomedRange({ min, max }: Range, scale: number, share: number, within: Range): Range {
  const low = Math.log10(min);
  const decades = Math.log10(max) - low;
  const wanted = Math.min(mostDecades, Math.max(leastDecades, decades * scale));
  return between(low + share * (decades - wanted), wanted, within);
}

function pannedRange({ min, max }: Range, share: number, within: Range): Range {
  const low = Math.log10(min);
  const decades = Math.log10(max) - low;
  return between(low + share * decades, decades, within);
}

/** A range of `decades` from `low` on (both in decades), moved into the limits. */
function between(low: number, decades: number, within: Range): Range {
  const least = Math.log10(within.min);
  const most = Math.log10(within.max) - decades;
  const start = Math.min(most, Math.max(least, low));
  return { min: 10 ** start, max: 10 ** (start + decades) };
}
