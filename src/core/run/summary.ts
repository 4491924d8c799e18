import { groupBy } from '../groupBy.ts';
import { Remembered } from '../remembered.ts';
import { rooflines } from '../roofline/rooflines.ts';
import { trajectories } from '../roofline/trajectories.ts';
import { tuningSummaries } from '../roofline/tuning.ts';
import type { Roofline, Trajectory } from '../roofline/types.ts';
import type { RunEvent } from './events.ts';
import type { RunRecord, RunSummary } from './record.ts';

/** The parts of a growing record's summary that took long to derive. */
export class SummaryParts {
  readonly rooflines = new Remembered<readonly Roofline[]>();
  readonly trajectories = new Remembered<readonly Trajectory[]>();
}

/**
 * Everything that a record says, derived from its events alone: a live run and an opened file cannot
 * differ. With the `parts` of a shorter record of the same run only what has changed is derived anew.
 */
export function summary(
  { environment, events }: RunRecord,
  parts = new SummaryParts(),
): RunSummary {
  const devices = groupBy(
    eventsOf(events, 'environment').map((event) => event.environment),
    ({ deviceId }) => deviceId,
  ).map((opened) => opened.at(-1)!);
  const roofs = rooflines(
    eventsOf(events, 'sample').map(({ sample }) => sample),
    parts.rooflines,
  );
  const steps = eventsOf(events, 'step').map(({ step }) => step);
  return {
    schema: 'rooftrace-summary/1',
    environment: { ...environment, devices },
    rooflines: roofs,
    trajectories: trajectories(steps, roofs, parts.trajectories),
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
