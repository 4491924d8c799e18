import {
  devicesOf,
  thoroughnessOf,
  type DeviceKind,
  type RunConfig,
  type SweepParameter,
  type Thoroughness,
} from '../core/run/config.ts';

/** A part of a run that is useful alone. */
export type StageKind = 'roofs' | 'training' | 'sustained';

/** A part of what a run will measure, and how long it typically takes. */
export interface PlannedStage {
  readonly device: DeviceKind;
  readonly kind: StageKind;
  readonly seconds: number;
}

/** What each part takes on a two-core machine without a GPU, in seconds; training a sweep and model. */
const typicalSeconds: Readonly<
  Record<
    Exclude<StageKind, 'sustained'>,
    Readonly<Record<Thoroughness, Record<DeviceKind, number>>>
  >
> = {
  roofs: { quick: { gpu: 18, cpu: 8 }, full: { gpu: 200, cpu: 60 } },
  training: { quick: { gpu: 9, cpu: 9 }, full: { gpu: 40, cpu: 40 } },
};
/** A short race, and the winner for a minute: all that a GPU does in the sustained profile. */
const sustainedSeconds = 66;

/** The parameters that can grow on each device. */
const sweepsOf: Readonly<Record<DeviceKind, readonly SweepParameter[]>> = {
  gpu: ['batch', 'workgroups', 'workgroupSize', 'depth', 'width'],
  cpu: ['batch', 'threads', 'replicas', 'depth', 'width'],
};

/** The parts of a run in order. */
export function planOf(config: RunConfig): readonly PlannedStage[] {
  return devicesOf(config.device).flatMap((device) => stagesOf(device, config));
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
