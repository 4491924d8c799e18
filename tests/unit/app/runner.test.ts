import { expose, wrap } from 'comlink';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startRun, type DeviceWorker, type Run, type WorkerKind } from '../../../src/app/runner.ts';
import { defaultConfig, type DeviceKind, type RunConfig } from '../../../src/core/run/config.ts';
import type { RunEvent } from '../../../src/core/run/events.ts';
import type { DeviceJob } from '../../../src/workers/api.ts';

/** A worker without a thread: the job answers at the other end of a message channel. */
class ChannelWorker extends EventTarget implements DeviceWorker {
  terminated = false;
  readonly #channel = new MessageChannel();

  constructor(job: DeviceJob | { name?(): string }) {
    super();
    const { port1, port2 } = this.#channel;
    expose(job, port2);
    port1.addEventListener('message', ({ data }) => this.dispatchEvent(messageEvent(data)));
    port1.start();
  }

  postMessage(message: unknown, transfer?: readonly Transferable[] | object): void {
    this.#channel.port1.postMessage(message, transfer as Transferable[]);
  }

  terminate(): void {
    this.terminated = true;
    this.#channel.port1.close();
  }
}

function nothing(): void {}

/** A job of which only this much matters. */
function jobOf(job: Partial<DeviceJob>): DeviceJob {
  return {
    start: () => new Promise(() => {}),
    pause: nothing,
    resume: nothing,
    skipStage: nothing,
    cancel: nothing,
    ...job,
  };
}

function start(
  config: RunConfig,
  emit: (event: RunEvent) => void,
  spawn: (kind: WorkerKind) => DeviceWorker,
): Run {
  return startRun(config, emit, { spawn });
}

function messageEvent(data: unknown): Event {
  return new MessageEvent('message', { data });
}

function done(device: DeviceKind, cancelled = false): RunEvent {
  return { kind: 'done', device, cancelled };
}

function progress(device: DeviceKind): RunEvent {
  return { kind: 'progress', device, stage: 'probe', fraction: 0.5, remainingSeconds: 1 };
}

/** A job that reports once and is done. */
function goodJob(device: DeviceKind): DeviceJob {
  return jobOf({
    start(_config, _task, emit) {
      emit(progress(device));
      emit(done(device));
      return Promise.resolve();
    },
  });
}

/** A job that reports once and then never ends, whatever it is told. */
function deafJob(device: DeviceKind): DeviceJob {
  return jobOf({
    start(_config, _task, emit) {
      emit(progress(device));
      return new Promise(() => {});
    },
  });
}

interface Recorded {
  readonly events: RunEvent[];
  readonly emit: (event: RunEvent) => void;
  readonly until: (kind: RunEvent['kind'], device: DeviceKind) => Promise<void>;
}

function recorder(): Recorded {
  const events: RunEvent[] = [];
  return {
    events,
    emit: (event) => events.push(event),
    until: (kind, device) =>
      vi.waitFor(() =>
        expect(
          events.some((event) => event.kind === kind && JSON.stringify(event).includes(device)),
        ).toBe(true),
      ),
  };
}

function kinds(events: readonly RunEvent[]): readonly string[] {
  return events.map((event) =>
    event.kind === 'done'
      ? `done ${event.device}${event.cancelled ? ' cancelled' : ''}`
      : event.kind === 'failure'
        ? `failure ${event.failure.device} ${event.failure.kind}`
        : event.kind,
  );
}

const config = { ...defaultConfig, device: 'both' } as const;

describe('startRun', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('measures one device after the other and ends the workers', async () => {
    const { events, emit } = recorder();
    const workers: ChannelWorker[] = [];
    const run = start(config, emit, (kind) => {
      const device = kind === 'gpu' ? 'gpu' : 'cpu';
      expect(workers.every(({ terminated }) => terminated)).toBe(true);
      const worker = new ChannelWorker(goodJob(device));
      workers.push(worker);
      return worker;
    });
    await run.finished;
    expect(kinds(events)).toEqual(['progress', 'done gpu', 'progress', 'done cpu']);
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, true]);
  });

  it('turns a worker that breaks into a failure and goes on with the next device', async () => {
    const { events, emit } = recorder();
    const run = start(config, emit, (kind) => {
      const device = kind === 'gpu' ? 'gpu' : 'cpu';
      const worker = new ChannelWorker(device === 'gpu' ? deafJob('gpu') : goodJob('cpu'));
      if (device === 'gpu') queueMicrotask(() => worker.dispatchEvent(new Event('error')));
      return worker;
    });
    await run.finished;
    expect(kinds(events)).toEqual(['failure gpu worker', 'done gpu', 'progress', 'done cpu']);
  });

  it('turns a rejected job into a failure', async () => {
    const { events, emit } = recorder();
    const run = start({ ...config, device: 'cpu' }, emit, () => {
      const job = goodJob('cpu');
      return new ChannelWorker({ ...job, start: () => Promise.reject(new Error('oh no')) });
    });
    await run.finished;
    expect(kinds(events)).toEqual(['failure cpu bug', 'done cpu']);
    expect(JSON.stringify(events)).toContain('oh no');
  });

  it('lets a cancelled job end by itself and starts no other', async () => {
    const { events, emit, until } = recorder();
    const run = start(config, emit, (kind) => {
      const device = kind === 'gpu' ? 'gpu' : 'cpu';
      let emitEvent: ((event: RunEvent) => void) | undefined;
      const job = jobOf({
        start(_config, _task, emitFromJob) {
          emitEvent = emitFromJob;
          emitEvent(progress(device));
          return new Promise(() => {});
        },
        cancel: () => emitEvent?.(done(device, true)),
      });
      return new ChannelWorker(job);
    });
    await until('progress', 'gpu');
    run.cancel();
    await run.finished;
    expect(kinds(events)).toEqual(['progress', 'done gpu cancelled']);
  });

  it('ends a job that does not hear a cancel within half a second', async () => {
    const { events, emit, until } = recorder();
    const worker = new ChannelWorker(deafJob('gpu'));
    const run = start({ ...config, device: 'gpu' }, emit, () => worker);
    await until('progress', 'gpu');
    vi.useFakeTimers();
    run.cancel();
    vi.advanceTimersByTime(500);
    await run.finished;
    expect(kinds(events)).toEqual(['progress', 'done gpu cancelled']);
    expect(worker.terminated).toBe(true);
  });

  it('starts the threads that a job asks for, and ends them with it', async () => {
    const { events, emit } = recorder();
    const started: { readonly kind: WorkerKind; readonly worker: ChannelWorker }[] = [];
    const job = jobOf({
      async start(_config, _task, emitFromJob, startThread) {
        const thread = wrap<{ name(): string }>(await startThread());
        const stage = await thread.name();
        emitFromJob({ kind: 'progress', device: 'cpu', stage, fraction: 0, remainingSeconds: 1 });
        emitFromJob(done('cpu'));
      },
    });
    const run = start({ ...config, device: 'cpu' }, emit, (kind) => {
      const worker = new ChannelWorker(kind === 'cpu' ? job : { name: () => 'a thread' });
      started.push({ kind, worker });
      return worker;
    });
    await run.finished;
    expect(events[0]).toMatchObject({ stage: 'a thread' });
    expect(started.map(({ kind }) => kind)).toEqual(['cpu', 'cpu-thread']);
    expect(started.every(({ worker }) => worker.terminated)).toBe(true);
  });

  it('ends a job one of whose threads breaks', async () => {
    const { events, emit } = recorder();
    const job = jobOf({
      async start(_config, _task, _emit, startThread) {
        await startThread();
        await new Promise(() => {});
      },
    });
    const run = start({ ...config, device: 'cpu' }, emit, (kind) => {
      const worker = new ChannelWorker(kind === 'cpu' ? job : {});
      if (kind === 'cpu-thread') queueMicrotask(() => worker.dispatchEvent(new Event('error')));
      return worker;
    });
    await run.finished;
    expect(kinds(events)).toEqual(['failure cpu worker', 'done cpu']);
  });

  it('passes pause, resume and skip on, to a device that is still to come as well', async () => {
    const { emit, until } = recorder();
    const told: string[] = [];
    const jobs = (['gpu', 'cpu'] as const).map((device) => {
      let finish: () => void = nothing;
      const job = jobOf({
        start(_config, _task, emitFromJob) {
          emitFromJob(progress(device));
          return new Promise((resolve) => {
            finish = () => {
              emitFromJob(done(device));
              resolve();
            };
          });
        },
        pause: () => void told.push(`${device} pause`),
        resume: () => void told.push(`${device} resume`),
        skipStage(name) {
          told.push(`${device} skip ${name}`);
          finish();
        },
      });
      return { device, job };
    });
    const run = start(config, emit, (kind) => {
      const own = jobs.find(({ device }) => device === kind);
      return new ChannelWorker(own?.job ?? {});
    });
    await until('progress', 'gpu');
    run.pause();
    run.skipStage('probe');
    await until('progress', 'cpu');
    run.resume();
    run.skipStage('knee');
    await run.finished;
    expect(told).toEqual([
      'gpu pause',
      'gpu skip probe',
      'cpu pause',
      'cpu resume',
      'cpu skip knee',
    ]);
  });

  it('does not take a pause for a worker that has fallen silent', async () => {
    vi.useFakeTimers();
    const { events, emit } = recorder();
    const gpu = { ...config, device: 'gpu' } as const;
    const run = start(gpu, emit, () => new ChannelWorker(jobOf({})));
    run.pause();
    vi.advanceTimersByTime(600_000);
    expect(kinds(events)).toEqual([]);
    run.resume();
    vi.advanceTimersByTime(120_000);
    await run.finished;
    expect(kinds(events)).toEqual(['failure gpu worker', 'done gpu']);
  });

  it('reports a worker that has fallen silent', async () => {
    vi.useFakeTimers();
    const { events, emit } = recorder();
    const run = start({ ...config, device: 'gpu' }, emit, () => new ChannelWorker(jobOf({})));
    vi.advanceTimersByTime(120_000);
    await run.finished;
    expect(kinds(events)).toEqual(['failure gpu worker', 'done gpu']);
  });
});
