import { expose, releaseProxy, wrap } from 'comlink';
import type { ThreadWorker } from '../cpu/pool.ts';
import { runCpuJob } from '../cpu/job.ts';
import type { CpuThread } from '../cpu/thread.ts';
import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { DeviceJob, StartThread } from './api.ts';

async function spawnThread(startThread: StartThread): Promise<ThreadWorker> {
  const client = wrap<CpuThread>(await startThread());
  return {
    client,
    // The page hears of a thread's fault first and ends the whole job.
    failed: new Promise<never>(() => {}),
    terminate: () => client[releaseProxy](),
  };
}

class CpuJob implements DeviceJob {
  readonly #cancel = new AbortController();

  async start(
    config: RunConfig,
    emit: (event: RunEvent) => unknown,
    startThread: StartThread,
  ): Promise<void> {
    const host = {
      logicalCores: navigator.hardwareConcurrency,
      isolated: crossOriginIsolated,
      spawnThread: () => spawnThread(startThread),
    };
    // Events travel on a port of their own: the last one must arrive before this call's answer.
    let told: unknown;
    const tell = (event: RunEvent) => {
      told = emit(event);
    };
    await runCpuJob(host, config, tell, this.#cancel.signal);
    await told;
  }

  cancel(): void {
    this.#cancel.abort();
  }
}

expose(new CpuJob());
