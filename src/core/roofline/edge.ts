import type { Curve, Plateau } from './plateaus.ts';

/**
 * Log working set of the geometric middle of a transition. Each point between the plateaus counts
 * as inside the upper level by how far it lies above the middle of the two (all from
 * three quarters of the way up, none below one quarter); the inside lengths are summed, so that one
 * spike moves the edge by at most one step of the sweep.
 */
export function edge({ sizes, rates }: Curve, upper: Plateau, lower: Plateau): number {
  const inside = (index: number) => {
    const height = (rates[index]! - lower.center) / (upper.center - lower.center);
    return Math.min(1, Math.max(0, 2 * height - 0.5));
  };
  // A spike may have been taken for a plateau's end: start and stop two points further out.
  const start = Math.max(upper.first, upper.last - 2);
  const stop = Math.min(lower.last, lower.first + 2);
  let position = sizes[start]!;
  for (let index = start; index < stop; index++) {
    const step = sizes[index + 1]! - sizes[index]!;
    position += (step * (inside(index) + inside(index + 1))) / 2;
  }
  return position;
}
