import { expose, releaseProxy, wrap, type Remote } from 'comlink';
import type { ThreadWorker } from '../cpu/pool.ts';
import { runCpuJob } from '../cpu/job.ts';
import type { CpuThread } from '../cpu/thread.ts';
import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import { JobGate } from '../core/run/gate.ts';
import type { RunTask } from '../core/run/task.ts';
import type { DeviceJob, StartThread } from './api.ts';

async function spawnThread(startThread: StartThread, gate: JobGate): Promise<ThreadWorker> {
  const client = wrap<CpuThread>(await startThread());
  return {
    client: gated(client, gate),
    // The page hears of a thread's fault first and ends the whole job.
    failed: new Promise<never>(() => {}),
    terminate: () => client[releaseProxy](),
  };
}

/**
 * The thread whose measurements pass the gate first. A step that is timed from here, on memories of
 * their own, must not wait in its middle: there the gate is before each point.
 */
function gated(client: Remote<CpuThread>, gate: JobGate): Remote<CpuThread> {
  const passing: Partial<CpuThreadCalls> = {
    measure: async (...work) => {
      await gate.pass();
      return client.measure(...work);
    },
    joinTraining: async (place) => {
      await gate.pass();
      return client.joinTraining(place);
    },
    trainStep: async (rates) => {
      await gate.pass();
      return client.trainStep(rates);
    },
  };
  return new Proxy(client, {
    get: (target, key, receiver) =>
      Object.hasOwn(passing, key)
        ? passing[key as keyof CpuThreadCalls]
        : (Reflect.get(target, key, receiver) as unknown),
  });
}

/** What a thread can be asked for, with answers that are waited for. */
type CpuThreadCalls = {
  readonly [Name in 'measure' | 'joinTraining' | 'trainStep']: (
    ...work: Parameters<CpuThread[Name]>
  ) => Promise<Awaited<ReturnType<CpuThread[Name]>>>;
};

class CpuJob implements DeviceJob {
  readonly #cancel = new AbortController();
  readonly #gate = new JobGate();

  async start(
    config: RunConfig,
    task: RunTask,
    emit: (event: RunEvent) => unknown,
    startThread: StartThread,
  ): Promise<void> {
    const host = {
      logicalCores: navigator.hardwareConcurrency,
      isolated: crossOriginIsolated,
      spawnThread: () => spawnThread(startThread, this.#gate),
    };
    // Events travel on a port of their own: the last one must arrive before this call's answer.
    let told: unknown;
    const tell = (event: RunEvent) => {
      told = emit(event);
    };
    await runCpuJob(host, config, tell, this.#cancel.signal, this.#gate, task);
    await told;
  }

  pause(): void {
    this.#gate.close();
  }

  resume(): void {
    this.#gate.open();
  }

  skipStage(name: string): void {
    this.#gate.skipStage(name);
  }

  cancel(): void {
    this.#cancel.abort();
    // A job that waits at the gate must hear of it.
    this.#gate.open();
  }
}

expose(new CpuJob());
