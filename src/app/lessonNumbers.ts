import type { DeviceKind } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { RunRecord, RunSummary, SummarizedRun } from '../core/run/record.ts';
import type { Parsed } from '../core/run/config.ts';
import type { LessonData } from '../core/lessons/lessonData.ts';
import type { ReferenceRun } from '../core/compare/referenceIndex.ts';
import { loadReferenceIndex, loadReferenceRun } from './reference.ts';
import type { Session } from './session.ts';
import { RunStore } from './store.ts';

/** The numbers that lessons are about, and whose they are. */
export interface LessonNumbers {
  /** The run's own name, unique among those that can be chosen. */
  readonly id: string;
  readonly name: string;
  readonly own: boolean;
  readonly summary: RunSummary;
  /** Empty where the run came by link. */
  readonly events: readonly RunEvent[];
}

/** The run of the page, once it has a roofline; undefined while there is none. */
export function ownNumbers({ state, run, store, busy }: Session): LessonNumbers | undefined {
  if (run === undefined || busy || !hasRoofline(run)) return undefined;
  const events = store?.record().events ?? [];
  return { id: 'own', name: ownName(state.kind, run), own: true, summary: run.summary, events };
}

function hasRoofline({ summary }: SummarizedRun): boolean {
  return summary.rooflines.some(
    ({ compute, bandwidth }) => compute.length > 0 && bandwidth.length > 0,
  );
}

function ownName(kind: Session['state']['kind'], { label }: SummarizedRun): string {
  const mine = kind === 'measured' || kind === 'restored';
  return mine ? 'this machine' : (label ?? 'the run on the page');
}

/** The reference runs that come with the app. */
export async function referenceNumbers(): Promise<Parsed<readonly LessonNumbers[]>> {
  const index = await loadReferenceIndex();
  if (index.kind === 'invalid') return index;
  const loaded: LessonNumbers[] = [];
  for (const reference of index.value.runs) {
    const parsed = await loadReferenceRun(reference);
    if (parsed.kind === 'invalid') return parsed;
    loaded.push(numbersOf(reference, parsed.value));
  }
  return { kind: 'ok', value: loaded };
}

function numbersOf({ file, name }: ReferenceRun, { events, ...header }: RunRecord): LessonNumbers {
  const { summary } = new RunStore(header, events).summarized();
  return { id: file, name: `reference: ${name}`, own: false, summary, events };
}

/** The devices that numbers tell of. */
export function devicesWithNumbers({ summary }: LessonNumbers): readonly DeviceKind[] {
  return (['gpu', 'cpu'] as const).filter((kind) =>
    summary.rooflines.some(({ device, compute }) => device === kind && compute.length > 0),
  );
}

/** Numbers as lessons take them, on one of their devices. */
export function lessonData(
  { name, summary, events }: LessonNumbers,
  device: DeviceKind,
): LessonData {
  return { name, device, summary, events };
}
