import { groupBy } from '../groupBy.ts';
import type { StepConfiguration, Tuning, TuningChoice, TuningScope } from '../run/events.ts';
import { gainOf, type Gain } from '../stats/gain.ts';
import { median } from '../stats/median.ts';
import { areTimes } from './rates.ts';

/** What another way to run a step brought. */
export interface TuningSummary extends Pick<Tuning, 'device' | 'deviceId' | 'model' | 'batch'> {
  readonly scope: TuningScope;
  /** How the step is run afterwards; absent where it is run as before. */
  readonly tuned?: StepConfiguration;
  /** Median steps before and afterwards. */
  readonly defaultSeconds: number;
  readonly tunedSeconds: number;
  /** Of images a second: a larger batch takes longer and may yet be faster. */
  readonly gain: Gain;
  /** Kernels, largest saving first. */
  readonly choices: readonly (TuningChoice & { readonly gain: number })[];
}

/** Tunings whose times are evidence; the last one of each kind. */
export function tuningSummaries(tunings: readonly Tuning[]): TuningSummary[] {
  const sound = tunings.filter(
    ({ defaultSeconds, tunedSeconds }) => areTimes(defaultSeconds) && areTimes(tunedSeconds),
  );
  return groupBy(sound, ({ deviceId, model, scope = 'kernels' }) =>
    JSON.stringify([deviceId, model, scope]),
  )
    .map((same) => same.at(-1)!)
    .map(summaryOf);
}

function summaryOf({ scope = 'kernels', timer: _timer, ...tuning }: Tuning): TuningSummary {
  return {
    ...tuning,
    scope,
    defaultSeconds: median(tuning.defaultSeconds),
    tunedSeconds: median(tuning.tunedSeconds),
    gain: gainOf(
      imageTimes(tuning.defaultSeconds, tuning.batch),
      imageTimes(tuning.tunedSeconds, tuning.tuned?.batch ?? tuning.batch),
    ),
    choices: tuning.choices
      .filter((choice) => areTimes([choice.defaultSeconds, choice.seconds]))
      .map((choice) => Object.assign({ gain: choice.defaultSeconds / choice.seconds }, choice))
      .toSorted((a, b) => saving(b) - saving(a)),
  };
}

function imageTimes(stepSeconds: readonly number[], batch: number): number[] {
  return stepSeconds.map((seconds) => seconds / batch);
}

function saving({ defaultSeconds, seconds }: TuningChoice): number {
  return defaultSeconds - seconds;
}
