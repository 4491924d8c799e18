import { thoroughnessOf, type InputError, type RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { SharedRun } from '../core/run/link.ts';
import type { HostEnvironment, RunRecord, SummarizedRun } from '../core/run/record.ts';
import type { ChoiceStore } from './choiceStore.ts';
import type { RunHistory } from './history.ts';
import { runId } from './historyEntry.ts';
import { startRun, type Run } from './runner.ts';
import { RunSaver } from './runSaver.ts';
import { RunStore } from './store.ts';
import { pauseWhileHidden, VisibilityWatch } from './visibility.ts';
import { keepAwake } from './wakeLock.ts';

/** Where the page's one record comes from. */
export type SessionState =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'running';
      readonly store: RunStore;
      readonly run: Run;
      readonly paused: boolean;
    }
  | { readonly kind: 'cancelling'; readonly store: RunStore }
  | { readonly kind: 'measured'; readonly store: RunStore }
  /** The last run of this browser, back after a reload. */
  | { readonly kind: 'restored'; readonly store: RunStore }
  | { readonly kind: 'opened'; readonly store: RunStore; readonly fileName: string }
  /** Somebody's run, by link: a summary without its measurements. */
  | { readonly kind: 'shared'; readonly shared: SharedRun }
  /** A link that could not be read. */
  | { readonly kind: 'refused'; readonly errors: readonly InputError[] };

interface SessionOptions {
  readonly app: RunRecord['app'];
  readonly environment: HostEnvironment;
  /** Keeps the runs that are measured here. */
  readonly history: Promise<RunHistory>;
  /** What tuners found, from run to run. */
  readonly choices: ChoiceStore;
  /** Hears every event as it is appended. */
  readonly onEvent: (event: RunEvent) => void;
}

/** What the page holds: at most one run, measured here, opened from a file or come by link. */
export class Session {
  readonly environment: HostEnvironment;
  readonly #options: SessionOptions;
  readonly #listeners = new Set<() => void>();
  #state: SessionState = { kind: 'empty' };
  #savingFailed: unknown;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.environment = options.environment;
  }

  get state(): SessionState {
    return this.#state;
  }

  get store(): RunStore | undefined {
    return 'store' in this.#state ? this.#state.store : undefined;
  }

  /** The run that the page shows. */
  get run(): SummarizedRun | undefined {
    return this.#state.kind === 'shared' ? this.#state.shared : this.store?.summarized();
  }

  /** Why the run could not be kept in the history; undefined while all is well. */
  get savingFailed(): unknown {
    return this.#savingFailed;
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
    const { app, environment, history, choices, onEvent } = this.#options;
    const startedAt = new Date().toISOString();
    const thoroughness = thoroughnessOf(config.profile);
    const header = { schema: 'rooftrace/1', app, startedAt, config, environment } as const;
    const store = new RunStore(header);
    const saver = new RunSaver(history, header, (error) => {
      this.#savingFailed = error;
      this.#notify();
    });
    const visibility = new VisibilityWatch(document);
    const emit = (event: RunEvent): void => {
      const judged = visibility.judge(event);
      store.append(judged);
      saver.append(judged);
      if (judged.kind === 'tuning') void choices.keep(judged.tuning, { startedAt, thoroughness });
      onEvent(judged);
      this.#notify();
    };
    const run = startRun(config, emit, { earlierChoices: choices.load(thoroughness) });
    this.#change({ kind: 'running', store, run, paused: false });
    const awake = keepAwake(document);
    const stopHiding = pauseWhileHidden(document, this);
    void run.finished.then(async () => {
      visibility.stop();
      stopHiding();
      awake.release();
      await saver.flush();
      this.#change({ kind: 'measured', store });
    });
  }

  /** Whether a run is under way and held. */
  get paused(): boolean {
    return this.#state.kind === 'running' && this.#state.paused;
  }

  /** Holds the run before its next measurement. */
  pause(): void {
    if (this.#state.kind !== 'running') return;
    this.#state.run.pause();
    this.#change({ ...this.#state, paused: true });
  }

  resume(): void {
    if (this.#state.kind !== 'running') return;
    this.#state.run.resume();
    this.#change({ ...this.#state, paused: false });
  }

  /** Goes on with the next stage; what this one has measured stays. */
  skipStage(): void {
    if (this.#state.kind !== 'running') return;
    if (this.paused) this.resume();
    this.#state.run.skipStage();
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

  /** Shows the last run of this browser again. */
  restore({ events, ...header }: RunRecord): void {
    if (this.#state.kind !== 'empty') return;
    this.#change({ kind: 'restored', store: new RunStore(header, events) });
  }

  /** Shows a run that came by link. */
  share(shared: SharedRun): void {
    if (this.busy) throw new Error('a run is under way');
    this.#change({ kind: 'shared', shared });
  }

  /** Tells of a link that could not be read. */
  refuse(errors: readonly InputError[]): void {
    if (this.busy) throw new Error('a run is under way');
    this.#change({ kind: 'refused', errors });
  }

  /** Takes away what is shown. */
  clear(): void {
    if (this.busy) throw new Error('a run is under way');
    this.#change({ kind: 'empty' });
  }

  /** Names the run that is shown; an empty label takes the name away. */
  async rename(label: string): Promise<void> {
    const { store } = this;
    if (!store) return;
    store.rename(label);
    this.#notify();
    await (await this.#options.history).rename(runId(store.record()), label);
  }

  #change(state: SessionState): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
