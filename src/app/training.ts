import { proxy, releaseProxy, wrap, type Remote } from 'comlink';
import type { Failure } from '../core/run/events.ts';
import type { Recipe } from '../core/training/recipe.ts';
import type { TrainingEvent } from '../core/training/trainingRun.ts';
import type { TrainingJob, TrainingJobEvent } from '../workers/api.ts';
import type { ChoiceStore } from './choiceStore.ts';

/** How long a stopped training may take to end by itself before its worker is ended. */
const stopGraceMilliseconds = 2000;

export type TrainingState =
  | 'idle'
  /** The worker loads, compiles and reads the images. */
  | 'starting'
  | 'running'
  | 'paused'
  | 'stopping'
  /** By itself, by a stop or by a failure; what was told stays. */
  | 'ended';

type TrainingWorker = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'> &
  Pick<Worker, 'removeEventListener'>;

function spawnWorker(): TrainingWorker {
  return new Worker(new URL('../workers/training.worker.ts', import.meta.url), { type: 'module' });
}

/** One training at a time, in a worker of its own. */
export class Training {
  readonly #choices: ChoiceStore;
  readonly #spawn: () => TrainingWorker;
  readonly #listeners = new Set<() => void>();
  #state: TrainingState = 'idle';
  #events: TrainingEvent[] = [];
  #failure: Failure | undefined;
  #recipe: Recipe | undefined;
  #deviceName: string | undefined;
  #worker: TrainingWorker | undefined;
  #job: Remote<TrainingJob> | undefined;
  #stopTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(choices: ChoiceStore, spawn: () => TrainingWorker = spawnWorker) {
    this.#choices = choices;
    this.#spawn = spawn;
  }

  get state(): TrainingState {
    return this.#state;
  }

  get busy(): boolean {
    return this.#state !== 'idle' && this.#state !== 'ended';
  }

  get events(): readonly TrainingEvent[] {
    return this.#events;
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Of the training under way or the last one. */
  get recipe(): Recipe | undefined {
    return this.#recipe;
  }

  get deviceName(): string | undefined {
    return this.#deviceName;
  }

  /** Calls `listener` after every event and change of state; returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts anew; what the last training told is gone. */
  start(recipe: Recipe): void {
    if (this.busy) throw new Error('a training is under way');
    this.#events = [];
    this.#failure = undefined;
    this.#deviceName = undefined;
    this.#recipe = recipe;
    const worker = this.#spawn();
    const onError = (event: Event): void => this.#fail(event);
    worker.addEventListener('error', onError);
    worker.addEventListener('messageerror', onError);
    this.#worker = worker;
    this.#job = wrap<TrainingJob>(worker);
    this.#change('starting');
    void this.#train(this.#job, recipe);
  }

  pause(): void {
    if (this.#state !== 'running') return;
    void this.#job?.pause();
    this.#change('paused');
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    void this.#job?.resume();
    this.#change('running');
  }

  stop(): void {
    if (!this.busy || this.#state === 'stopping') return;
    void this.#job?.stop();
    this.#stopTimer = setTimeout(() => this.#end(), stopGraceMilliseconds);
    this.#change('stopping');
  }

  /** With the kernels that tuners of quick and full runs chose. */
  async #train(job: Remote<TrainingJob>, recipe: Recipe): Promise<void> {
    const earlierChoices = await this.#choices.load('quick');
    if (this.#job !== job) return;
    try {
      await job.train(recipe, earlierChoices, proxy(this.#onEvent));
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #onEvent = (event: TrainingJobEvent): void => {
    if (!this.busy) return;
    switch (event.kind) {
      case 'ready':
        this.#deviceName = event.deviceName;
        if (this.#state === 'starting') this.#change('running');
        break;
      case 'failure':
        this.#failure = event.failure;
        break;
      case 'ended':
        this.#end();
        break;
      case 'step':
      case 'evaluation':
        this.#events.push(event);
        this.#notify();
        break;
    }
  };

  #fail(reason: unknown): void {
    if (!this.busy) return;
    this.#failure = {
      kind: 'worker',
      device: 'gpu',
      stage: 'training',
      cause: 'The training stopped or could not be loaded.',
      advice: 'Reload the page and try again. What was trained before is shown.',
      detail: reason instanceof Event ? eventText(reason) : String(reason),
    };
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#stopTimer);
    this.#job?.[releaseProxy]();
    this.#worker?.terminate();
    this.#job = undefined;
    this.#worker = undefined;
    this.#change('ended');
  }

  #change(state: TrainingState): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function eventText(event: Event): string {
  const { message, filename, lineno } = event as Partial<ErrorEvent>;
  return message ? `${message} (${filename}:${lineno})` : `the worker sent '${event.type}'`;
}
