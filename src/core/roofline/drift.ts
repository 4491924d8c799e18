import { groupBy } from '../groupBy.ts';
import type { StepTiming } from '../run/events.ts';
import { medianInterval } from '../stats/interval.ts';
import { flags } from './flags.ts';
import { noiseOfChange } from './noise.ts';
import type { TrajectoryPoint } from './types.ts';

/** How the device changed its speed while a sweep ran. */
export interface Drift {
  /** Change in the logarithm of a step's time from its first to its last measurement. */
  readonly logTime: number;
  /** Half-width of its 95 % interval. */
  readonly noise: number;
  readonly isReal: boolean;
}

/**
 * How much longer a sweep's configurations took when they were measured for the last time than at
 * first: of all that were repeated the middle one, for one alone may have been disturbed (of an even
 * number the smaller one of the middle two). Steps in the order of measurement. Undefined where none
 * was repeated.
 */
export function driftOf(steps: readonly StepTiming[]): Drift | undefined {
  const drifts = groupBy(steps, ({ value }) => value)
    .filter((same) => same.length > 1)
    .map((same) => driftBetween(same[0]!, same.at(-1)!))
    .toSorted((a, b) => a.logTime - b.logTime);
  const middle = [
    drifts[Math.floor((drifts.length - 1) / 2)],
    drifts[Math.floor(drifts.length / 2)],
  ];
  return middle
    .flatMap((drift) => drift ?? [])
    .toSorted((a, b) => Math.abs(a.logTime) - Math.abs(b.logTime))[0];
}

function driftBetween(before: StepTiming, after: StepTiming): Drift {
  const [from, to] = [timesOf(before), timesOf(after)];
  const logTime = Math.log(to.median / from.median);
  const noise = noiseOfChange(from, to);
  return { logTime, noise, isReal: Math.abs(logTime) > noise };
}

function timesOf({ seconds }: StepTiming) {
  return { ...medianInterval(seconds), samples: seconds.length };
}

/** A point of a sweep during which the device changed is flagged: its neighbours may not compare. */
export function withDrift(point: TrajectoryPoint, drift: Drift | undefined): TrajectoryPoint {
  if (point.status !== 'ok' || drift?.isReal !== true) return point;
  return { ...point, flags: [...point.flags, flags.drifted] };
}
