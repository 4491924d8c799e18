import {
  devicesOf,
  sweepsOf,
  thoroughnessOf,
  type DeviceKind,
  type RunConfig,
  type Thoroughness,
} from '../core/run/config.ts';
import type { RunTask } from '../core/run/task.ts';

/** A part of a run that is useful alone. */
export type StageKind = 'roofs' | 'training' | 'sustained' | 'tuning';

/** A part of what a run will measure, and how long it typically takes. */
export interface PlannedStage {
  readonly device: DeviceKind;
  readonly kind: StageKind;
  readonly seconds: number;
}

/** What each part takes on a two-core machine without a GPU, in seconds; training a sweep and model. */
const typicalSeconds: Readonly<
  Record<
    Exclude<StageKind, 'sustained' | 'tuning'>,
    Readonly<Record<Thoroughness, Record<DeviceKind, number>>>
  >
> = {
  roofs: { quick: { gpu: 18, cpu: 8 }, full: { gpu: 200, cpu: 60 } },
  training: { quick: { gpu: 9, cpu: 9 }, full: { gpu: 40, cpu: 40 } },
};
/** A short race, and the winner for a minute: all that a GPU does in the sustained profile. */
const sustainedSeconds = 66;

/** Of one network: a search of its configuration, a choice of its kernels, and the comparison. */
const tuningSeconds: Readonly<Record<Thoroughness, Record<DeviceKind, number>>> = {
  quick: { gpu: 35, cpu: 12 },
  full: { gpu: 400, cpu: 160 },
};

/** The parts of a run in order. */
export function planOf(
  config: RunConfig,
  task: RunTask['kind'] = 'measure',
): readonly PlannedStage[] {
  return devicesOf(config.device).flatMap((device): readonly PlannedStage[] => {
    switch (task) {
      case 'measure':
        return stagesOf(device, config);
      case 'tune':
        return [tuningOf(device, config)];
      case 'resume':
        return stagesOf(device, config).filter(({ kind }) => kind === 'training');
    }
  });
}

function tuningOf(device: DeviceKind, { profile, models }: RunConfig): PlannedStage {
  const seconds = models.length * tuningSeconds[thoroughnessOf(profile)][device];
  return { device, kind: 'tuning', seconds };
}

function stagesOf(device: DeviceKind, { profile, models, sweeps }: RunConfig): PlannedStage[] {
  if (profile === 'sustained' && device === 'gpu')
    return [{ device, kind: 'sustained', seconds: sustainedSeconds }];
  const thoroughness = thoroughnessOf(profile);
  const swept = sweeps.filter((sweep) => sweepsOf[device].includes(sweep)).length;
  const seconds = typicalSeconds.training[thoroughness][device] * swept * models.length;
  return [
    { device, kind: 'roofs', seconds: typicalSeconds.roofs[thoroughness][device] },
    ...(seconds > 0 ? [{ device, kind: 'training', seconds } as const] : []),
  ];
}

/** What the plan's parts of one device take, in seconds. */
export function secondsOf(plan: readonly PlannedStage[], device: DeviceKind): number {
  return plan.reduce((sum, stage) => sum + (stage.device === device ? stage.seconds : 0), 0);
}
