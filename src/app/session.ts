import { thoroughnessOf, type InputError, type RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { SharedRun } from '../core/run/link.ts';
import type { HostEnvironment, RunRecord, SummarizedRun } from '../core/run/record.ts';
import { isResumable, isToldOf, type RunTask } from '../core/run/task.ts';
import type { ChoiceStore } from './choiceStore.ts';
import type { RunHistory } from './history.ts';
import { runId } from './historyEntry.ts';
import { planOf, type PlannedStage } from './plan.ts';
import { runProgress, type RunProgress } from './progress.ts';
import { startRun, type Run } from './runner.ts';
import { RunSaver } from './runSaver.ts';
import { RunStore } from './store.ts';
import { pauseWhileHidden, VisibilityWatch } from './visibility.ts';
import { keepAwake } from './wakeLock.ts';

/** What is under way: its plan, and the place of its first event in the record. */
interface Job {
  readonly plan: readonly PlannedStage[];
  readonly first: number;
}

/** Where the page's one record comes from. */
export type SessionState =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'running';
      readonly store: RunStore;
      readonly run: Run;
      readonly job: Job;
      readonly paused: boolean;
    }
  | { readonly kind: 'cancelling'; readonly store: RunStore; readonly job: Job }
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
    this.#begin(this.#newStore(config), config, { kind: 'measure' });
  }

  /** Finds how the networks train fastest; the run that this browser has just measured keeps it. */
  tune(config: RunConfig): void {
    this.#begin(this.#ownStore ?? this.#newStore(config), config, { kind: 'tune' });
  }

  /** Whether the run that is shown was ended by the loss of the GPU, and can go on from there. */
  get resumable(): boolean {
    return isResumable(this.#ownStore?.record().events ?? [], 'gpu');
  }

  /** Goes on with a run that was ended by the loss of the GPU: what it has measured is kept. */
  continue(): void {
    const store = this.#ownStore;
    if (store === undefined) throw new Error('no run to go on with');
    const { config, events } = store.record();
    const told = events.filter((event) => isToldOf(event, 'gpu'));
    this.#begin(store, { ...config, device: 'gpu' }, { kind: 'resume', told });
  }

  /** Where what is under way is; undefined before the first word of a worker. */
  get progress(): RunProgress | undefined {
    if (!('job' in this.#state)) return undefined;
    const { job, store } = this.#state;
    return runProgress(job.plan, store.record().events.slice(job.first));
  }

  #newStore(config: RunConfig): RunStore {
    const { app, environment } = this.#options;
    const startedAt = new Date().toISOString();
    return new RunStore({ schema: 'rooftrace/1', app, startedAt, config, environment });
  }

  /** The run that was measured here, which more can be told of. */
  get #ownStore(): RunStore | undefined {
    const { kind } = this.#state;
    return kind === 'measured' || kind === 'restored' ? this.store : undefined;
  }

  #begin(store: RunStore, config: RunConfig, task: RunTask): void {
    if (this.busy) throw new Error('a run is under way');
    const { history, choices, onEvent } = this.#options;
    const { events: before, ...header } = store.record();
    const { startedAt } = header;
    const thoroughness = thoroughnessOf(config.profile);
    const job = { plan: planOf(config, task.kind), first: before.length };
    const onFailure = (error: unknown): void => {
      this.#savingFailed = error;
      this.#notify();
    };
    const saver = new RunSaver(history, header, onFailure, before.length === 0);
    const visibility = new VisibilityWatch(document);
    const emit = (event: RunEvent): void => {
      const judged = visibility.judge(event);
      store.append(judged);
      saver.append(judged);
      if (judged.kind === 'tuning') void choices.keep(judged.tuning, { startedAt, thoroughness });
      onEvent(judged);
      this.#notify();
    };
    const run = startRun(config, emit, { task, earlierChoices: choices.load(thoroughness) });
    this.#change({ kind: 'running', store, run, job, paused: false });
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

  /** Leaves the stage of this name, if it is still under way; what it has measured stays. */
  skipStage(name: string): void {
    if (this.#state.kind !== 'running') return;
    if (this.paused) this.resume();
    this.#state.run.skipStage(name);
  }

  cancel(): void {
    if (this.#state.kind !== 'running') return;
    const { store, run, job } = this.#state;
    this.#change({ kind: 'cancelling', store, job });
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
