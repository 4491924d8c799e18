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
  const done = events.filter((event) => event.kind === 'done');
  if (done.some(({ cancelled }) => cancelled)) return 'cancelled';
  const finished = devicesOf(config.device).every((kind) =>
    done.some(({ device }) => device === kind),
  );
  return finished ? undefined : 'interrupted';
}
