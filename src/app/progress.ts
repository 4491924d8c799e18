import type { DeviceKind } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import { secondsOf, type PlannedStage } from './plan.ts';

/** How long a plan takes, in seconds. */
export function expectedSeconds(plan: readonly PlannedStage[]): number {
  return plan.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Where a run is. */
export interface RunProgress {
  readonly device: DeviceKind;
  readonly stage: string;
  /** Share of the whole run that is behind us, 0 to 1. */
  readonly fraction: number;
  readonly remainingSeconds: number;
}

/** Where a run of a plan is by what it has told, over all its devices; undefined before the first word of a worker. */
export function runProgress(
  plan: readonly PlannedStage[],
  events: readonly RunEvent[],
): RunProgress | undefined {
  const last = events.findLast((event) => event.kind === 'progress');
  if (!last) return undefined;
  const done = new Set(events.flatMap((event) => (event.kind === 'done' ? [event.device] : [])));
  let spent = 0;
  let remainingSeconds = 0;
  for (const device of new Set(plan.map((stage) => stage.device))) {
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
  const fraction = spent / expectedSeconds(plan);
  return { device: last.device, stage: last.stage, fraction, remainingSeconds };
}
