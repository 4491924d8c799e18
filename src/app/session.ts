import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { HostEnvironment, RunRecord } from '../core/run/record.ts';
import { startRun, type Run } from './runner.ts';
import { RunStore } from './store.ts';
import { VisibilityWatch } from './visibility.ts';

/** Where the page's one record comes from. */
export type SessionState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'running'; readonly store: RunStore; readonly run: Run }
  | { readonly kind: 'cancelling'; readonly store: RunStore }
  | { readonly kind: 'measured'; readonly store: RunStore }
  | { readonly kind: 'opened'; readonly store: RunStore; readonly fileName: string };

interface SessionOptions {
  readonly app: RunRecord['app'];
  readonly environment: HostEnvironment;
  /** Hears every event as it is appended. */
  readonly onEvent: (event: RunEvent) => void;
}

/** What the page holds: at most one record, measured here or opened from a file. */
export class Session {
  readonly environment: HostEnvironment;
  readonly #options: SessionOptions;
  readonly #listeners = new Set<() => void>();
  #state: SessionState = { kind: 'empty' };

  constructor(options: SessionOptions) {
    this.#options = options;
    this.environment = options.environment;
  }

  get state(): SessionState {
    return this.#state;
  }

  get store(): RunStore | undefined {
    return this.#state.kind === 'empty' ? undefined : this.#state.store;
  }

  get busy(): boolean {
    return this.#state.kind === 'running' || this.#state.kind === 'cancelling';
  }

  /** Calls `listener` after every change of state and every event; returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts a run; the page's controls offer this only while none is under way. */
  start(config: RunConfig): void {
    if (this.busy) throw new Error('a run is under way');
    const { app, environment, onEvent } = this.#options;
    const startedAt = new Date().toISOString();
    const store = new RunStore({ schema: 'rooftrace/1', app, startedAt, config, environment });
    const visibility = new VisibilityWatch(document);
    const run = startRun(config, (event) => {
      const judged = visibility.judge(event);
      store.append(judged);
      onEvent(judged);
      this.#notify();
    });
    this.#change({ kind: 'running', store, run });
    void run.finished.then(() => {
      visibility.stop();
      this.#change({ kind: 'measured', store });
    });
  }

  cancel(): void {
    if (this.#state.kind !== 'running') return;
    const { store, run } = this.#state;
    this.#change({ kind: 'cancelling', store });
    run.cancel();
  }

  /** Shows a saved record in place of what is there. */
  open(record: RunRecord, fileName: string): void {
    if (this.busy) throw new Error('a run is under way');
    const { events, ...header } = record;
    this.#change({ kind: 'opened', store: new RunStore(header, events), fileName });
  }

  #change(state: SessionState): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
