import type { Thoroughness } from '../run/config.ts';
import type { RunRecord } from '../run/record.ts';
import type { TuningChoice } from '../run/events.ts';

/** What a tuner found for one shape, as a browser keeps it for later runs. */
export interface KeptChoice {
  readonly choice: TuningChoice & Required<Pick<TuningChoice, 'foundAt'>>;
  /** How long that run looked. */
  readonly thoroughness: Thoroughness;
}

/** Choices of earlier runs by the device they were found on. */
export type EarlierChoices = Readonly<Record<string, readonly TuningChoice[]>>;

/**
 * What kept choices are kept under: adapter and browser, which the device's id names, and the app's
 * version, since another one may have other kernels.
 */
export function keptUnder(deviceId: string, { version, commit }: RunRecord['app']): string {
  return `${deviceId} ${version} ${commit}`;
}

/** The choices that a run may start from: a full run looks again where a quick one did. */
export function servingChoices(
  kept: readonly KeptChoice[],
  wanted: Thoroughness,
): readonly TuningChoice[] {
  return kept
    .filter(({ thoroughness }) => wanted === 'quick' || thoroughness === 'full')
    .map(({ choice }) => choice);
}

/** The kept choices with those that a run has found itself, one a shape. */
export function withFound(
  kept: readonly KeptChoice[],
  choices: readonly TuningChoice[],
  run: { readonly startedAt: string; readonly thoroughness: Thoroughness },
): readonly KeptChoice[] {
  const { startedAt: foundAt, thoroughness } = run;
  const found = choices
    .filter((choice) => choice.foundAt === undefined && choice.seconds < Infinity)
    .map((choice) => ({ choice: Object.assign({ foundAt }, choice), thoroughness }));
  const anew = new Set(found.map(({ choice }) => choice.key));
  return [...kept.filter(({ choice }) => !anew.has(choice.key)), ...found];
}

/** The day of the oldest choice of an earlier run, ISO 8601; undefined where this run found all. */
export function foundOn(choices: readonly TuningChoice[]): string | undefined {
  const times = choices.flatMap(({ foundAt }) => (foundAt === undefined ? [] : [foundAt]));
  return times.toSorted()[0];
}
