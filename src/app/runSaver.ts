import type { RunEvent } from '../core/run/events.ts';
import type { RunHistory } from './history.ts';
import { runId } from './historyEntry.ts';
import type { RecordHeader } from './store.ts';

/** How often a growing run is written. */
const saveMilliseconds = 250;

/**
 * Writes a run to the history as it grows, so that a reload loses a quarter of a second at most. A
 * history that fails to write is told once through `onFailure`.
 */
export class RunSaver {
  readonly #history: Promise<RunHistory>;
  readonly #id: string;
  readonly #onFailure: (error: unknown) => void;
  #unsaved: RunEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Writes follow each other. */
  #written: Promise<void>;

  /** `isNew`: the history has nothing of the run yet. */
  constructor(
    history: Promise<RunHistory>,
    header: RecordHeader,
    onFailure: (error: unknown) => void,
    isNew = true,
  ) {
    this.#history = history;
    this.#id = runId(header);
    this.#onFailure = onFailure;
    this.#written = history
      .then((opened) => (isNew ? opened.begin(this.#id, header) : undefined))
      .catch(onFailure);
  }

  append(event: RunEvent): void {
    this.#unsaved.push(event);
    this.#timer ??= setTimeout(() => void this.flush(), saveMilliseconds);
  }

  /** Writes what has not been written; resolves when all is. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#unsaved;
    this.#unsaved = [];
    if (events.length > 0)
      this.#written = this.#written
        .then(async () => (await this.#history).append(this.#id, events))
        .catch(this.#onFailure);
    return this.#written;
  }
}
