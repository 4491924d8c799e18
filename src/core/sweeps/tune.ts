import type { SweepParameter } from '../run/config.ts';
import type { Tuning, TuningChoice, TuningScope } from '../run/events.ts';
import { blackBoxSearch, type SearchedDevice } from './blackBox.ts';
import { inTurn } from './inTurn.ts';
import type { StepSetting } from './sweep.ts';
import type { SweepLimits } from './sweepPlanner.ts';

/** A step as it is run: in a configuration, by chosen kernels where `choices` names some. */
export interface TunedSide {
  readonly setting: StepSetting;
  readonly choices: readonly TuningChoice[];
}

/** A device on which a step is tuned. */
export interface TunedDevice extends SearchedDevice {
  /** What its configuration can vary, in the order of the search. */
  readonly parameters: readonly SweepParameter[];
  /** Finds the fastest kernels for a configuration; absent where a device has but one of each. */
  chooseKernels?(setting: StepSetting): Promise<readonly TuningChoice[]>;
  /** Seconds of warm steps; none where they are no evidence. */
  timeSide(side: TunedSide, round: number): Promise<readonly number[]>;
}

/** What one kind of tuning brought. */
export type TuningResult = Pick<Tuning, 'tuned' | 'defaultSeconds' | 'tunedSeconds' | 'choices'> & {
  readonly scope: TuningScope;
};

/** Rounds in which all sides are timed. */
const rounds = 3;

/**
 * Finds how a step is run fastest and what that brings over `start` by the default kernels: other
 * kernels alone (application-aware), another configuration alone (black-box), and both together. At
 * the end all four are timed in turn, and the gains come from these times alone.
 */
export async function tuneStep(
  start: StepSetting,
  device: TunedDevice,
  limits: SweepLimits,
): Promise<readonly TuningResult[]> {
  const { best, steps } = await blackBoxSearch(device.parameters, start, device, limits);
  const choose = async (setting: StepSetting) => (await device.chooseKernels?.(setting)) ?? [];
  const startChoices = await choose(start);
  const bestChoices = steps.length === 0 ? startChoices : await choose(best);
  const before: TunedSide = { setting: start, choices: [] };
  const after: Readonly<Record<TuningScope, TunedSide>> = {
    kernels: { setting: start, choices: startChoices },
    configuration: { setting: best, choices: [] },
    together: { setting: best, choices: bestChoices },
  };
  // What changes nothing is not timed again.
  const sides = new Map([before, ...Object.values(after)].map((side) => [keyOf(side), side]));
  const times = await inTurn([...sides.values()], rounds, device.timeSide.bind(device));
  const secondsOf = (side: TunedSide) => times[[...sides.keys()].indexOf(keyOf(side))]!;
  const scopes: readonly TuningScope[] = device.chooseKernels
    ? ['kernels', 'configuration', 'together']
    : ['configuration'];
  const results: TuningResult[] = [];
  for (const scope of scopes) {
    const { setting, choices } = after[scope];
    const { model: _model, scaling: _scaling, ...tuned } = setting;
    results.push({
      scope,
      ...(setting !== start && { tuned }),
      defaultSeconds: secondsOf(before),
      tunedSeconds: secondsOf(after[scope]),
      choices,
    });
  }
  return results;
}

/** Equal for sides that are run in the same way. */
function keyOf({ setting, choices }: TunedSide): string {
  const changed = choices.filter(({ variant, defaultVariant }) => variant !== defaultVariant);
  return JSON.stringify([setting, changed.map(({ key, variant }) => [key, variant])]);
}
