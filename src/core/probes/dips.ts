/** A point this much slower than both of its neighbours was disturbed: levels only give way once. */
const leastDip = 1.3;

/** Whether a point of a sweep takes far longer, a piece of work, than the points on both sides. */
export function isDip(before: number, seconds: number, after: number): boolean {
  return seconds > leastDip * Math.max(before, after);
}

/** Why the slower of two measurements of one point is refused; undefined where they agree. */
export function disturbance(slower: number, faster: number): string | undefined {
  const ratio = slower / faster;
  if (ratio <= leastDip) return undefined;
  return `disturbed: the same work took ${ratio.toFixed(1)} times as long as when measured again`;
}
