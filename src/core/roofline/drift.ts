import { groupBy } from '../groupBy.ts';
import type { StepTiming } from '../run/events.ts';
import { medianInterval } from '../stats/interval.ts';
import { flags } from './flags.ts';
import type { TrajectoryPoint } from './types.ts';

/** How the device changed its speed while a sweep ran. */
export interface Drift {
  /** Change in the logarithm of a step's time from its first to its last measurement. */
  readonly logTime: number;
  /** Half-width of its 95 % interval. */
  readonly noise: number;
  readonly isReal: boolean;
}

/** Times are measured to 3 %. */
const leastNoise = 0.03;

/**
 * The largest change of a configuration that a sweep measured at different times, as its planner
 * does with the first one. Steps in the order of measurement. Undefined where none was repeated.
 */
export function driftOf(steps: readonly StepTiming[]): Drift | undefined {
  const drifts = groupBy(steps, ({ value }) => value)
    .filter((same) => same.length > 1)
    .map((same) => driftBetween(same[0]!, same.at(-1)!));
  return drifts.toSorted((a, b) => Math.abs(b.logTime) - Math.abs(a.logTime))[0];
}

function driftBetween(before: StepTiming, after: StepTiming): Drift {
  const [from, to] = [medianInterval(before.seconds), medianInterval(after.seconds)];
  const halfWidths = [from, to].map(({ low, high }) => Math.log(high / low) / 2);
  const logTime = Math.log(to.median / from.median);
  const noise = Math.max(leastNoise, Math.hypot(...halfWidths));
  return { logTime, noise, isReal: Math.abs(logTime) > noise };
}

/** A point of a sweep during which the device changed is flagged: its neighbours may not compare. */
export function withDrift(point: TrajectoryPoint, drift: Drift | undefined): TrajectoryPoint {
  if (point.status !== 'ok' || drift?.isReal !== true) return point;
  return { ...point, flags: [...point.flags, flags.drifted] };
}
