import { devicesOf, type DeviceKind, type RunConfig } from '../core/run/config.ts';
import type { RunRecord } from '../core/run/record.ts';
import { planOf, secondsOf } from './plan.ts';

/** How long a run takes, before it has begun, in seconds. */
export function expectedSeconds(config: RunConfig): number {
  return planOf(config).reduce((sum, { seconds }) => sum + seconds, 0);
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
  const plan = planOf(config);
  const done = new Set(events.flatMap((event) => (event.kind === 'done' ? [event.device] : [])));
  let spent = 0;
  let remainingSeconds = 0;
  for (const device of devicesOf(config.device)) {
    const typical = secondsOf(plan, device);
    if (done.has(device)) {
      spent += typical;
    } else if (device === last.device) {
      spent += last.fraction * typical;
      remainingSeconds += last.remainingSeconds;
    } else {
      remainingSeconds += typical;
    }
  }
  const fraction = spent / expectedSeconds(config);
  return { device: last.device, stage: last.stage, fraction, remainingSeconds };
}
