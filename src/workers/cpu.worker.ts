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

  async start(config: RunConfig, emit: (event: RunEvent) => unknown): Promise<void> {
    const host = {
      logicalCores: navigator.hardwareConcurrency,
      isolated: crossOriginIsolated,
      spawnThread,
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
