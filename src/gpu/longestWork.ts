import type { LongestWork } from '../core/run/events.ts';
import type { Measurement } from './clocks.ts';
import { sliced, type TimedPass } from './passes.ts';

export const noWork: Required<LongestWork> = {
  passSeconds: 0,
  submitSeconds: 0,
  plannedDispatchSeconds: 0,
  plannedSubmitSeconds: 0,
  firstRunSeconds: 0,
};

/** The longer of what was known and what a measurement of these passes tells. */
export function longer(
  known: Required<LongestWork>,
  passes: readonly TimedPass[],
  { seconds }: Pick<Measurement, 'seconds'>,
): Required<LongestWork> {
  const slices = sliced(passes);
  let index = 0;
  const submits = slices.map((slice) => slice.reduce((sum) => sum + (seconds[index++] ?? 0), 0));
  const plans = slices.map((slice) => slice.filter(isPlanned));
  return {
    ...known,
    passSeconds: Math.max(known.passSeconds, ...seconds),
    submitSeconds: Math.max(known.submitSeconds, ...submits),
    plannedDispatchSeconds: Math.max(
      known.plannedDispatchSeconds,
      ...plans.flat().map((pass) => pass.dispatchSeconds ?? pass.expectedSeconds),
    ),
    plannedSubmitSeconds: Math.max(
      known.plannedSubmitSeconds,
      ...plans.map((slice) => slice.reduce((sum, pass) => sum + pass.expectedSeconds, 0)),
    ),
  };
}

/** Not guessed: a step that is the first on a device is cut as if that were slower than any. */
function isPlanned({ dispatchSeconds }: TimedPass): boolean {
  return dispatchSeconds !== 0;
}
