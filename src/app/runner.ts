import { createEndpoint, proxy, releaseProxy, transfer, wrap, type Remote } from 'comlink';
import { devicesOf, type DeviceKind, type RunConfig } from '../core/run/config.ts';
import type { Failure, RunEvent } from '../core/run/events.ts';
import type { RunTask } from '../core/run/task.ts';
import type { EarlierChoices } from '../core/tuning/keptChoices.ts';
import type { DeviceJob, StartThread } from '../workers/api.ts';

/** How long a cancelled job may take to end by itself before its worker is ended. */
const cancelGraceMilliseconds = 400;
/** A worker that says nothing for this many beats has hung; counted in beats so that a machine that slept is not accused. */
const heartbeatMilliseconds = 5000;
const silentBeatsAllowed = 12;

/** A run under way. */
export interface Run {
  /** Resolves when every device is done; never rejects. */
  readonly finished: Promise<void>;
  /** Holds the run before its next measurement, until `resume`. */
  pause(): void;
  resume(): void;
  /** Leaves the stage that was told by this name, if it is still under way; what it has measured stays. */
  skipStage(name: string): void;
  /** Ends the run within half a second and keeps what was measured. */
  cancel(): void;
}

/** The parts of `Worker` that a run needs. */
export type DeviceWorker = Pick<
  Worker,
  'addEventListener' | 'removeEventListener' | 'postMessage' | 'terminate'
>;

/** A device's own worker, or one of the threads that the CPU's worker asks for. */
export type WorkerKind = DeviceKind | 'cpu-thread';

function spawnWorker(kind: WorkerKind): DeviceWorker {
  switch (kind) {
    case 'gpu':
      return new Worker(new URL('../workers/gpu.worker.ts', import.meta.url), { type: 'module' });
    case 'cpu':
      return new Worker(new URL('../workers/cpu.worker.ts', import.meta.url), { type: 'module' });
    case 'cpu-thread':
      return new Worker(new URL('../workers/cpu-thread.worker.ts', import.meta.url), {
        type: 'module',
      });
  }
}

interface RunOptions {
  readonly spawn?: (kind: WorkerKind) => DeviceWorker;
  readonly task?: RunTask;
  /** What tuners start from. */
  readonly earlierChoices?: Promise<EarlierChoices>;
}

/**
 * Measures the configured devices one after the other, each in its own worker, and tells everything
 * through `emit`. A device that fails ends with a `failure` and a `done`; the next one still runs.
 */
export function startRun(
  config: RunConfig,
  emit: (event: RunEvent) => void,
  {
    spawn = spawnWorker,
    task = { kind: 'measure' },
    earlierChoices = Promise.resolve({}),
  }: RunOptions = {},
): Run {
  let cancelled = false;
  let paused = false;
  let current: DeviceRun | undefined;
  async function runAll(): Promise<void> {
    for (const device of devicesOf(config.device)) {
      if (cancelled) return;
      current = new DeviceRun(device, spawn, emit);
      const over = current.run(config, task, earlierChoices);
      if (paused) current.pause();
      await over;
    }
  }
  return {
    finished: runAll(),
    pause() {
      paused = true;
      current?.pause();
    },
    resume() {
      paused = false;
      current?.resume();
    },
    skipStage(name) {
      current?.skipStage(name);
    },
    cancel() {
      cancelled = true;
      current?.cancel();
    },
  };
}

/**
 * One device's job. comlink calls never reject when a worker dies, so the end of the job is a race
 * between the worker's `done`, its `error` events, its silence, and a cancel's patience.
 */
class DeviceRun {
  readonly #device: DeviceKind;
  readonly #spawn: (kind: WorkerKind) => DeviceWorker;
  /** The device's worker and its threads, to be ended together. */
  readonly #workers: DeviceWorker[] = [];
  /** Held here: a comlink proxy that is collected takes its calls with it. */
  readonly #job: Remote<DeviceJob>;
  readonly #emit: (event: RunEvent) => void;
  readonly #ended: Promise<void>;
  #resolveEnded: () => void = () => {};
  #over = false;
  #paused = false;
  #silentBeats = 0;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #cancelTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    device: DeviceKind,
    spawn: (kind: WorkerKind) => DeviceWorker,
    emit: (event: RunEvent) => void,
  ) {
    this.#device = device;
    this.#spawn = spawn;
    this.#emit = emit;
    this.#job = wrap<DeviceJob>(this.#startWorker(device));
    this.#ended = new Promise((resolve) => (this.#resolveEnded = resolve));
  }

  run(config: RunConfig, task: RunTask, earlierChoices: Promise<EarlierChoices>): Promise<void> {
    this.#heartbeat = setInterval(this.#onBeat, heartbeatMilliseconds);
    void this.#start(config, task, earlierChoices);
    return this.#ended;
  }

  async #start(
    config: RunConfig,
    task: RunTask,
    earlierChoices: Promise<EarlierChoices>,
  ): Promise<void> {
    const choices = await earlierChoices;
    if (this.#over) return;
    try {
      await this.#job.start(config, task, proxy(this.#onEvent), proxy(this.#startThread), choices);
    } catch (error) {
      this.#fail('bug', 'stopped at an error of its own', String(error));
    }
  }

  pause(): void {
    this.#paused = true;
    this.#tell((job) => job.pause());
  }

  resume(): void {
    this.#paused = false;
    this.#silentBeats = 0;
    this.#tell((job) => job.resume());
  }

  skipStage(name: string): void {
    this.#tell((job) => job.skipStage(name));
  }

  cancel(): void {
    if (this.#over) return;
    this.#job.cancel().catch(() => this.#end(true));
    this.#cancelTimer = setTimeout(() => this.#end(true), cancelGraceMilliseconds);
  }

  /** A worker that cannot hear any more has a fault, which is told by other means. */
  #tell(command: (job: Remote<DeviceJob>) => Promise<void>): void {
    if (!this.#over) command(this.#job).catch(() => {});
  }

  #startWorker(kind: WorkerKind): DeviceWorker {
    const worker = this.#spawn(kind);
    worker.addEventListener('error', this.#onError);
    worker.addEventListener('messageerror', this.#onError);
    this.#workers.push(worker);
    return worker;
  }

  readonly #startThread: StartThread = async () => {
    if (this.#over) throw new Error('the run is over');
    const thread = wrap<object>(this.#startWorker('cpu-thread'));
    const port = await thread[createEndpoint]();
    return transfer(port, [port]);
  };

  readonly #onEvent = (event: RunEvent): void => {
    if (this.#over) return;
    this.#silentBeats = 0;
    if (event.kind === 'done') this.#end(event.cancelled);
    else this.#emit(event);
  };

  readonly #onError = (event: Event): void => {
    const { message, filename, lineno } = event as Partial<ErrorEvent>;
    const detail = message
      ? `${message} (${filename}:${lineno})`
      : `the worker sent '${event.type}'`;
    this.#fail('worker', 'stopped or could not be loaded', detail);
  };

  readonly #onBeat = (): void => {
    if (this.#paused) return;
    this.#silentBeats += 1;
    if (this.#silentBeats < silentBeatsAllowed) return;
    const seconds = (silentBeatsAllowed * heartbeatMilliseconds) / 1000;
    this.#fail('worker', 'no longer answers', `no event for ${seconds} s`);
  };

  #fail(kind: Failure['kind'], what: string, detail: string): void {
    if (this.#over) return;
    const name = this.#device.toUpperCase();
    const failure: Failure = {
      kind,
      device: this.#device,
      stage: 'worker',
      cause: `The ${name} measurement ${what}.`,
      advice:
        kind === 'bug'
          ? 'Please report it with the detail below. What was measured before is kept.'
          : 'Reload the page and run again; close other heavy pages. What was measured before is kept.',
      detail,
    };
    this.#emit({ kind: 'failure', failure });
    this.#end(false);
  }

  #end(cancelled: boolean): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#cancelTimer);
    this.#job[releaseProxy]();
    for (const worker of this.#workers) worker.terminate();
    this.#emit({ kind: 'done', device: this.#device, cancelled });
    this.#resolveEnded();
  }
}
