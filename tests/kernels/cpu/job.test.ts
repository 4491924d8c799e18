import { createEndpoint, proxy, transfer, wrap } from 'comlink';
import { describe, expect, test } from 'vitest';
import { defaultConfig, type RunConfig } from '../../../src/core/run/config.ts';
import type { CpuEnvironment, RunEvent } from '../../../src/core/run/events.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { runCpuJob, type CpuHost } from '../../../src/cpu/job.ts';
import type { ThreadWorker } from '../../../src/cpu/pool.ts';
import type { CpuThread } from '../../../src/cpu/thread.ts';
import type { DeviceJob, StartThread } from '../../../src/workers/api.ts';

/** Rooflines alone: training has tests of its own. */
const measuring: RunConfig = { ...defaultConfig, device: 'cpu', sweeps: [] };

/** The CPU's worker, and the threads that it asks the page for. */
class StartedJob {
  readonly job;
  readonly #workers: Worker[] = [];

  constructor() {
    const url = new URL('../../../src/workers/cpu.worker.ts', import.meta.url);
    const worker = new Worker(url, { type: 'module' });
    this.#workers.push(worker);
    this.job = wrap<DeviceJob>(worker);
  }

  start(emit: (event: RunEvent) => void): Promise<void> {
    return this.job.start(
      measuring,
      { kind: 'measure' },
      proxy(emit),
      proxy(this.#startThread),
      {},
    );
  }

  terminate(): void {
    for (const worker of this.#workers) worker.terminate();
  }

  readonly #startThread: StartThread = async () => {
    const worker = threadWorker();
    this.#workers.push(worker);
    const port = await wrap<CpuThread>(worker)[createEndpoint]();
    return transfer(port, [port]);
  };
}

function threadWorker(): Worker {
  const url = new URL('../../../src/workers/cpu-thread.worker.ts', import.meta.url);
  return new Worker(url, { type: 'module' });
}

/** A thread as the job sees it, and a way to make it fail. */
function spawnThread(): ThreadWorker & { readonly worker: Worker } {
  const worker = threadWorker();
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
  });
  return { worker, client: wrap<CpuThread>(worker), failed, terminate: () => worker.terminate() };
}

function samplesOf(events: readonly RunEvent[]): Sample[] {
  return events.flatMap((event) => (event.kind === 'sample' ? [event.sample] : []));
}

/** Neither right nor refused for its time alone, which a busy machine may do to any sample. */
function isWrong({ status, reason = '' }: Sample): boolean {
  const isOfTime = /^(twice the work took|the clock did not|the threads were never|disturbed)/.test(
    reason,
  );
  return status !== 'ok' && !(status === 'failed' && isOfTime);
}

function environmentOf(events: readonly RunEvent[]): CpuEnvironment | undefined {
  return events
    .flatMap((event) => (event.kind === 'environment' ? [event.environment] : []))
    .find((environment) => environment.device === 'cpu');
}

/** Longer than any run here takes, on a machine busy with others too. */
const frozenMilliseconds = 55_000;

/**
 * Under WebDriver, Firefox now and then freezes a worker for good (3 of 100 runs, never without
 * WebDriver): such a run is started once more. A run that ends, rightly or wrongly, is not repeated.
 */
async function unlessFrozen<T>(attempt: (started: StartedJob) => Promise<T>): Promise<T> {
  for (const isLast of [false, true]) {
    const started = new StartedJob();
    const frozen = new Promise<'frozen'>((resolve) =>
      setTimeout(() => resolve('frozen'), frozenMilliseconds),
    );
    const result = await Promise.race([attempt(started), frozen]);
    started.terminate();
    if (result !== 'frozen') return result;
    if (isLast) break;
  }
  throw new Error('two runs in a row froze');
}

test.each([
  ['the arithmetic', 'compute'],
  ['the bandwidth sweeps', 'bandwidth'],
  ['the knee', 'mixed'],
] as const)('a cancel in %s ends the run within half a second', async (_, wanted) => {
  const { events, cancelMilliseconds } = await unlessFrozen(async (started) => {
    const told: RunEvent[] = [];
    let stage = '';
    let cancelledAt = Infinity;
    await started.start((event) => {
      told.push(event);
      if (event.kind === 'progress') ({ stage } = event);
      if (event.kind !== 'sample' || cancelledAt < Infinity) return;
      if (event.sample.measured.kind === wanted) {
        cancelledAt = performance.now();
        void started.job.cancel();
      } else void started.job.skipStage(stage);
    });
    return { events: told, cancelMilliseconds: performance.now() - cancelledAt };
  });
  expect(cancelMilliseconds).toBeLessThan(500);
  expect(samplesOf(events).at(-1)?.measured.kind).toBe(wanted);
  expect(events.at(-1)).toEqual({ kind: 'done', device: 'cpu', cancelled: true });
  expect(events.some(({ kind }) => kind === 'failure')).toBe(false);
});

async function runUntil(
  host: CpuHost,
  enough: (events: readonly RunEvent[]) => boolean,
): Promise<RunEvent[]> {
  const cancel = new AbortController();
  const events: RunEvent[] = [];
  const emit = (event: RunEvent) => {
    events.push(event);
    if (enough(events)) cancel.abort();
  };
  await runCpuJob(host, measuring, emit, cancel.signal);
  return events;
}

describe('a host that lacks something', () => {
  test('without isolation threads measure on memories of their own, one and all', async () => {
    const host = {
      logicalCores: 2,
      isolated: false,
      spawnThread: () => Promise.resolve(spawnThread()),
    };
    const events = await runUntil(host, (all) => samplesOf(all).length >= 50);
    expect(environmentOf(events)).toMatchObject({
      isolated: false,
      sharedMemory: false,
      threads: 2,
      logicalCores: 2,
    });
    const samples = samplesOf(events);
    expect(samples.filter(isWrong)).toEqual([]);
    expect(new Set(samples.map(({ threads }) => threads))).toEqual(new Set([1, 2]));
  });

  test('a thread that dies ends the run with a failure and what was measured', async () => {
    const spawned: Worker[] = [];
    const host = {
      logicalCores: 2,
      isolated: true,
      spawnThread: () => {
        const thread = spawnThread();
        spawned.push(thread.worker);
        return Promise.resolve(thread);
      },
    };
    const events = await runUntil(host, (all) => {
      if (samplesOf(all).length === 12)
        spawned[0]?.dispatchEvent(new ErrorEvent('error', { message: 'killed by the test' }));
      return false;
    });
    expect(samplesOf(events).length).toBeGreaterThanOrEqual(12);
    expect(events.at(-2)).toMatchObject({
      kind: 'failure',
      failure: { kind: 'worker', device: 'cpu', detail: /killed by the test/ },
    });
    expect(events.at(-1)).toEqual({ kind: 'done', device: 'cpu', cancelled: false });
  });
});
