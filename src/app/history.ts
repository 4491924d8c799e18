import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { RunEvent } from '../core/run/events.ts';
import type { RunRecord } from '../core/run/record.ts';
import { grown, renamed, type HistoryEntry } from './historyEntry.ts';
import type { RecordHeader } from './store.ts';

/** The runs of this browser, kept as they grow. */
export interface RunHistory {
  /** Whether runs outlive the page: private windows and some settings forbid it. */
  readonly persistent: boolean;
  /** Newest first. */
  list(): Promise<readonly HistoryEntry[]>;
  get(id: string): Promise<RunRecord | undefined>;
  /** Starts to keep a run; its events follow by `append`. */
  begin(id: string, header: RecordHeader): Promise<void>;
  append(id: string, events: readonly RunEvent[]): Promise<void>;
  /** An empty label takes the run's away. */
  rename(id: string, label: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Calls `listener` after every change; returns the way to stop it. */
  subscribe(listener: () => void): () => void;
}

interface HistoryDatabase extends DBSchema {
  runs: { key: string; value: HistoryEntry };
  /** Pieces of the runs' events, in order of their keys. */
  events: {
    key: number;
    value: { readonly run: string; readonly events: readonly RunEvent[] };
    indexes: { run: string };
  };
}

const databaseName = 'rooftrace';
const databaseVersion = 1;

/** Opens the browser's own history. Rejects where the browser forbids it. */
export async function openStoredHistory(): Promise<RunHistory> {
  const database = await openDB<HistoryDatabase>(databaseName, databaseVersion, {
    upgrade(created) {
      created.createObjectStore('runs', { keyPath: 'id' });
      created.createObjectStore('events', { autoIncrement: true }).createIndex('run', 'run');
    },
  });
  return new StoredHistory(database);
}

class StoredHistory implements RunHistory {
  readonly persistent = true;
  readonly #database: IDBPDatabase<HistoryDatabase>;
  readonly #listeners = new Set<() => void>();

  constructor(database: IDBPDatabase<HistoryDatabase>) {
    this.#database = database;
  }

  async list(): Promise<readonly HistoryEntry[]> {
    const entries = await this.#database.getAll('runs');
    return entries.toReversed();
  }

  async get(id: string): Promise<RunRecord | undefined> {
    const transaction = this.#database.transaction(['runs', 'events']);
    const entry = await transaction.objectStore('runs').get(id);
    const pieces = await transaction.objectStore('events').index('run').getAll(id);
    return entry && { ...entry.header, events: pieces.flatMap(({ events }) => events) };
  }

  async begin(id: string, header: RecordHeader): Promise<void> {
    await this.#database.put('runs', { id, header, devices: [], complete: false });
    this.#notify();
  }

  async append(id: string, events: readonly RunEvent[]): Promise<void> {
    const transaction = this.#database.transaction(['runs', 'events'], 'readwrite');
    const entry = await transaction.objectStore('runs').get(id);
    // Deleted while it grew.
    if (entry === undefined) return;
    await transaction.objectStore('events').add({ run: id, events });
    await transaction.objectStore('runs').put(grown(entry, events));
    await transaction.done;
    this.#notify();
  }

  async rename(id: string, label: string): Promise<void> {
    const transaction = this.#database.transaction('runs', 'readwrite');
    const entry = await transaction.store.get(id);
    if (entry) await transaction.store.put({ ...entry, header: renamed(entry.header, label) });
    await transaction.done;
    this.#notify();
  }

  async remove(id: string): Promise<void> {
    const transaction = this.#database.transaction(['runs', 'events'], 'readwrite');
    await transaction.objectStore('runs').delete(id);
    const events = transaction.objectStore('events');
    for (const key of await events.index('run').getAllKeys(id)) await events.delete(key);
    await transaction.done;
    this.#notify();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
