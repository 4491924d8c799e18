import type { RunEvent } from '../core/run/events.ts';
import type { RunRecord } from '../core/run/record.ts';
import { openStoredHistory, type RunHistory } from './history.ts';
import { grown, renamed, type HistoryEntry } from './historyEntry.ts';
import type { RecordHeader } from './store.ts';

/** The browser's history; where it is forbidden one that lasts as long as the page. */
export async function openHistory(
  open: () => Promise<RunHistory> = openStoredHistory,
): Promise<RunHistory> {
  try {
    return await open();
  } catch {
    return new SessionHistory();
  }
}

/** Runs of this page alone. */
export class SessionHistory implements RunHistory {
  readonly persistent = false;
  readonly #runs = new Map<string, { entry: HistoryEntry; events: readonly RunEvent[] }>();
  readonly #listeners = new Set<() => void>();

  list(): Promise<readonly HistoryEntry[]> {
    return Promise.resolve([...this.#runs.values()].map(({ entry }) => entry).toReversed());
  }

  get(id: string): Promise<RunRecord | undefined> {
    const run = this.#runs.get(id);
    return Promise.resolve(run && { ...run.entry.header, events: run.events });
  }

  begin(id: string, header: RecordHeader): Promise<void> {
    this.#runs.set(id, { entry: { id, header, devices: [], complete: false }, events: [] });
    return this.#changed();
  }

  append(id: string, events: readonly RunEvent[]): Promise<void> {
    const run = this.#runs.get(id);
    if (run) {
      const entry = grown(run.entry, events);
      this.#runs.set(id, { entry, events: [...run.events, ...events] });
    }
    return this.#changed();
  }

  rename(id: string, label: string): Promise<void> {
    const run = this.#runs.get(id);
    if (run) {
      const entry = { ...run.entry, header: renamed(run.entry.header, label) };
      this.#runs.set(id, { entry, events: run.events });
    }
    return this.#changed();
  }

  remove(id: string): Promise<void> {
    this.#runs.delete(id);
    return this.#changed();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): Promise<void> {
    for (const listener of this.#listeners) listener();
    return Promise.resolve();
  }
}
