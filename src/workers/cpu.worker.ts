import { expose, releaseProxy, wrap } from 'comlink';
import type { ThreadWorker } from '../cpu/pool.ts';
import { runCpuJob } from '../cpu/job.ts';
import type { CpuThread } from '../cpu/thread.ts';
import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { DeviceJob } from './api.ts';

function spawnThread(): ThreadWorker {
  const worker = new Worker(new URL('./cpu-thread.worker.ts', import.meta.url), { type: 'module' });
  const client = wrap<CpuThread>(worker);
  const failed = new Promise<never>((_, reject) => {
    const fail = (event: Event) =>
      reject(new Error((event as Partial<ErrorEvent>).message ?? event.type));
    worker.addEventListener('error', fail);
    worker.addEventListener('messageerror', fail);
  });
  return {
    client,
    failed,
    terminate() {
      client[releaseProxy]();
      worker.terminate();
    },
  };
}

class CpuJob implements DeviceJob {
  readonly #cancel = new AbortController();

  start(config: RunConfig, emit: (event: RunEvent) => void): Promise<void> {
    const host = {
      logicalCores: navigator.hardwareConcurrency,
      isolated: crossOriginIsolated,
      spawnThread,
    };
    return runCpuJob(host, config, emit, this.#cancel.signal);
  }

  cancel(): void {
    this.#cancel.abort();
  }
}

expose(new CpuJob());
