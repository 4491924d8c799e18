import { createEndpoint, proxy, transfer, wrap } from 'comlink';
import { beforeAll, describe, expect, test } from 'vitest';
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
    return this.job.start(measuring, proxy(emit), proxy(this.#startThread), {});
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

describe('a quick run in the worker', () => {
  let events: RunEvent[] = [];

  beforeAll(async () => {
    events = await unlessFrozen(async (started) => {
      const told: RunEvent[] = [];
      await started.start((event) => told.push(event));
      return told;
    });
  }, 3 * frozenMilliseconds);

  test('begins with the environment and ends with done', () => {
    expect(events[0]?.kind).toBe('environment');
    expect(environmentOf(events)).toMatchObject({
      isolated: true,
      sharedMemory: true,
      module: 'relaxed-simd',
      threads: navigator.hardwareConcurrency,
    });
    expect(events.at(-1)).toEqual({ kind: 'done', device: 'cpu', cancelled: false });
    expect(events.filter(({ kind }) => kind === 'done' || kind === 'failure')).toHaveLength(1);
  });

  test('holds nothing but right values, every time positive', () => {
    const samples = samplesOf(events);
    expect(samples.filter(isWrong)).toEqual([]);
    expect(samples.filter(({ status }) => status !== 'ok').length).toBeLessThan(
      samples.length / 10,
    );
    expect(samples.flatMap(({ seconds }) => seconds).every((time) => time > 0)).toBe(true);
  });

  test('measures multiply+add and FMA in ten shapes, on one thread and on all', () => {
    const compute = samplesOf(events).filter(({ measured }) => measured.kind === 'compute');
    const threads = [...new Set([1, navigator.hardwareConcurrency])];
    for (const count of threads) {
      for (const probe of ['multiply+add', 'fma']) {
        const shapes = compute.filter(
          (sample) =>
            sample.threads === count &&
            sample.probe === probe &&
            sample.measured.kind === 'compute' &&
            sample.measured.precision === 'f32',
        );
        expect(shapes).toHaveLength(10);
      }
    }
  });

  test('sweeps every pattern to 64 MiB by at most 1.42', () => {
    for (const pattern of ['read', 'write', 'copy', 'triad']) {
      const sizes = samplesOf(events).flatMap(({ measured, threads }) =>
        measured.kind === 'bandwidth' && measured.pattern === pattern && threads === 1
          ? [measured.workingSetSize]
          : [],
      );
      const rising = [...new Set(sizes)].toSorted((a, b) => a - b);
      expect(rising[0]).toBeLessThanOrEqual(4096);
      expect(rising.at(-1)).toBeGreaterThan(67_000_000);
      // Arrays are whole iterations of 128 bytes, of three arrays at the most.
      for (const [index, next] of rising.slice(1).entries())
        expect(next - 3 * 128).toBeLessThanOrEqual(1.42 * rising[index]!);
    }
  });

  test('measures f64, i32, scalar f32 and dot products too', () => {
    const compute = samplesOf(events).flatMap(({ probe, measured }) =>
      measured.kind === 'compute' ? [`${probe} ${measured.precision}`] : [],
    );
    for (const wanted of [
      'multiply+add f64',
      'fma f64',
      'multiply+add i32',
      'scalar multiply+add f32',
      'dot product i8',
    ])
      expect(compute).toContain(wanted);
  });

  test('chases pointers from 4 KiB to 64 MiB, where a load takes longer', () => {
    const latencies = samplesOf(events).flatMap(({ measured, threads, seconds }) =>
      measured.kind === 'latency' && threads === 1
        ? [{ size: measured.workingSetSize, seconds: Math.min(...seconds) / measured.loads }]
        : [],
    );
    expect(latencies[0]?.size).toBe(4096);
    expect(latencies.at(-1)?.size).toBe(2 ** 26);
    expect(latencies.at(-1)!.seconds).toBeGreaterThan(3 * latencies[0]!.seconds);
  });

  test('walks the knee on one thread and on all, from 1/8 to 256 flop/byte', () => {
    for (const count of new Set([1, navigator.hardwareConcurrency])) {
      const intensities = samplesOf(events).flatMap(({ measured, threads }) =>
        measured.kind === 'mixed' && threads === count ? [measured.flops / measured.bytes] : [],
      );
      expect(intensities.length).toBeGreaterThanOrEqual(14);
      expect(intensities[0]).toBe(1 / 8);
      expect(intensities.at(-1)).toBe(256);
    }
  });

  test('times messages, and with shared memory barriers and wake-ups', () => {
    const overheads = samplesOf(events).flatMap(({ measured, threads }) =>
      measured.kind === 'overhead' ? [`${measured.of}, ${threads === 1 ? 'one' : 'all'}`] : [],
    );
    expect(overheads).toEqual(
      navigator.hardwareConcurrency === 1
        ? ['wakeUp, one']
        : ['wakeUp, one', 'barrier, all', 'wakeUp, all'],
    );
  });

  test('progress never goes back', () => {
    const fractions = events.flatMap((event) =>
      event.kind === 'progress' ? [event.fraction] : [],
    );
    expect(fractions.length).toBeGreaterThan(10);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  });
});

test.each([0.1, 0.5, 0.8])('a cancel at %f of the run ends it within half a second', async (at) => {
  const { events, cancelMilliseconds } = await unlessFrozen(async (started) => {
    const told: RunEvent[] = [];
    let cancelledAt = Infinity;
    await started.start((event) => {
      told.push(event);
      if (event.kind === 'progress' && event.fraction >= at && cancelledAt === Infinity) {
        cancelledAt = performance.now();
        void started.job.cancel();
      }
    });
    return { events: told, cancelMilliseconds: performance.now() - cancelledAt };
  });
  expect(cancelMilliseconds).toBeLessThan(500);
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
