import { devicesOf } from '../core/run/config.ts';
import type { RunRecord } from '../core/run/record.ts';

/** Why a run does not hold all that was asked for. */
export type Partiality = 'cancelled' | 'interrupted';

/**
 * Whether a run that is over ended before its time: cancelled by hand, or cut off by a reload or a
 * crash of the page, so that a device never told that it was done. Undefined for a whole run.
 */
export function partiality({
  config,
  events,
}: Pick<RunRecord, 'config' | 'events'>): Partiality | undefined {
  // A device may be asked again, for what was left or to be tuned: its last end counts.
  const ends = devicesOf(config.device).map((kind) =>
    events.findLast((event) => event.kind === 'done' && event.device === kind),
  );
  if (ends.some((end) => end?.kind === 'done' && end.cancelled)) return 'cancelled';
  return ends.every((end) => end !== undefined) ? undefined : 'interrupted';
}
