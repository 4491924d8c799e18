import type { LongestWork } from '../core/run/events.ts';
import type { Measurement } from './clocks.ts';
import { sliced, type TimedPass } from './passes.ts';

export const noWork: LongestWork = { passSeconds: 0, submitSeconds: 0 };

/** The longer of what was known and what a measurement of these passes tells. */
export function longer(
  known: LongestWork,
  passes: readonly TimedPass[],
  { seconds }: Pick<Measurement, 'seconds'>,
): LongestWork {
  let index = 0;
  const submits = sliced(passes).map((slice) =>
    slice.reduce((sum) => sum + (seconds[index++] ?? 0), 0),
  );
  return {
    passSeconds: Math.max(known.passSeconds, ...seconds),
    submitSeconds: Math.max(known.submitSeconds, ...submits),
  };
}
