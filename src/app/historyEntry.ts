import { devicesOf } from '../core/run/config.ts';
import type { DeviceEnvironment, RunEvent } from '../core/run/events.ts';
import type { RecordHeader } from './store.ts';

/** A kept run, as lists show it. */
export interface HistoryEntry {
  readonly id: string;
  readonly header: RecordHeader;
  /** The devices that it named. */
  readonly devices: readonly DeviceEnvironment[];
  /** Every device came to its end; a run that was cancelled or cut off by a reload is not complete. */
  readonly complete: boolean;
}

/** Unique for runs of one browser, and sorts by time. */
export function runId({ startedAt }: RecordHeader): string {
  return startedAt;
}

/** The entry after more of its events. */
export function grown(entry: HistoryEntry, events: readonly RunEvent[]): HistoryEntry {
  const devices = events.flatMap((event) =>
    event.kind === 'environment' ? [event.environment] : [],
  );
  const last = devicesOf(entry.header.config.device).at(-1);
  const complete =
    entry.complete ||
    events.some((event) => event.kind === 'done' && event.device === last && !event.cancelled);
  const again = new Set(devices.map(({ deviceId }) => deviceId));
  const others = entry.devices.filter(({ deviceId }) => !again.has(deviceId));
  return { ...entry, devices: [...others, ...devices], complete };
}

export function renamed({ label: _label, ...header }: RecordHeader, label: string): RecordHeader {
  return label === '' ? header : { ...header, label };
}
