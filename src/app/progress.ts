import { devicesOf, type DeviceKind, type Profile, type RunConfig } from '../core/run/config.ts';
import type { RunRecord } from '../core/run/record.ts';

/** What each device's part of a run takes on a two-core machine without a GPU, in seconds. */
const typicalSeconds: Record<Profile, Record<DeviceKind, number>> = {
  quick: { gpu: 35, cpu: 8 },
  full: { gpu: 55, cpu: 25 },
  sustained: { gpu: 70, cpu: 70 },
};

/** How long a run takes, before it has begun, in seconds. */
export function expectedSeconds({
  profile,
  device,
}: Pick<RunConfig, 'profile' | 'device'>): number {
  return devicesOf(device).reduce((sum, kind) => sum + typicalSeconds[profile][kind], 0);
}

/** Where a run is. */
export interface RunProgress {
  readonly device: DeviceKind;
  readonly stage: string;
  /** Share of the whole run that is behind us, 0 to 1. */
  readonly fraction: number;
  readonly remainingSeconds: number;
}

/** Where a run is, over all its devices; undefined before the first word of a worker. */
export function runProgress({
  config,
  events,
}: Pick<RunRecord, 'config' | 'events'>): RunProgress | undefined {
  const last = events.findLast((event) => event.kind === 'progress');
  if (!last) return undefined;
  const typical = typicalSeconds[config.profile];
  const done = new Set(events.flatMap((event) => (event.kind === 'done' ? [event.device] : [])));
  let spent = 0;
  let remainingSeconds = 0;
  for (const device of devicesOf(config.device)) {
    if (done.has(device)) {
      spent += typical[device];
    } else if (device === last.device) {
      spent += last.fraction * typical[device];
      remainingSeconds += last.remainingSeconds;
    } else {
      remainingSeconds += typical[device];
    }
  }
  const fraction = spent / expectedSeconds(config);
  return { device: last.device, stage: last.stage, fraction, remainingSeconds };
}
