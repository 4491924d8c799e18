import type { Tuning, TuningChoice } from '../run/events.ts';
import { gainOf, type Gain } from '../stats/gain.ts';
import { median } from '../stats/median.ts';
import { areTimes } from './rates.ts';

/** What choosing other kernels for a step brought. */
export interface TuningSummary extends Pick<Tuning, 'device' | 'deviceId' | 'model' | 'batch'> {
  /** Median steps with the default kernels and with the chosen ones. */
  readonly defaultSeconds: number;
  readonly tunedSeconds: number;
  readonly gain: Gain;
  /** Largest saving first. */
  readonly choices: readonly (TuningChoice & { readonly gain: number })[];
}

/** Tunings whose times are evidence. */
export function tuningSummaries(tunings: readonly Tuning[]): TuningSummary[] {
  return tunings
    .filter(
      ({ defaultSeconds, tunedSeconds }) => areTimes(defaultSeconds) && areTimes(tunedSeconds),
    )
    .map(({ device, deviceId, model, batch, defaultSeconds, tunedSeconds, choices }) => ({
      device,
      deviceId,
      model,
      batch,
      defaultSeconds: median(defaultSeconds),
      tunedSeconds: median(tunedSeconds),
      gain: gainOf(defaultSeconds, tunedSeconds),
      choices: choices
        .filter((choice) => areTimes([choice.defaultSeconds, choice.seconds]))
        .map((choice) => Object.assign({ gain: choice.defaultSeconds / choice.seconds }, choice))
        .toSorted((a, b) => saving(b) - saving(a)),
    }));
}

function saving({ defaultSeconds, seconds }: TuningChoice): number {
  return defaultSeconds - seconds;
}
