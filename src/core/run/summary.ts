import { groupBy } from '../groupBy.ts';
import { rooflines } from '../roofline/rooflines.ts';
import { trajectories } from '../roofline/trajectories.ts';
import { tuningSummaries } from '../roofline/tuning.ts';
import type { RunEvent } from './events.ts';
import type { RunRecord, RunSummary } from './record.ts';

/** Everything that a record says, derived anew: a live run and an opened file cannot differ. */
export function summary({ environment, events }: RunRecord): RunSummary {
  const devices = groupBy(
    eventsOf(events, 'environment').map((event) => event.environment),
    ({ deviceId }) => deviceId,
  ).map((opened) => opened.at(-1)!);
  const roofs = rooflines(eventsOf(events, 'sample').map(({ sample }) => sample));
  const steps = eventsOf(events, 'step').map(({ step }) => step);
  return {
    schema: 'rooftrace-summary/1',
    environment: { ...environment, devices },
    rooflines: roofs,
    trajectories: trajectories(steps, roofs),
    tuning: tuningSummaries(eventsOf(events, 'tuning').map(({ tuning }) => tuning)),
    failures: eventsOf(events, 'failure').map(({ failure }) => failure),
  };
}

function eventsOf<K extends RunEvent['kind']>(
  events: readonly RunEvent[],
  kind: K,
): Extract<RunEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<RunEvent, { kind: K }> => event.kind === kind);
}
