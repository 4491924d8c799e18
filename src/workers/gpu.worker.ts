import { expose } from 'comlink';
import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import { runGpuJob } from '../gpu/job.ts';
import type { DeviceJob } from './api.ts';

class GpuJob implements DeviceJob {
  readonly #cancel = new AbortController();

  async start(config: RunConfig, emit: (event: RunEvent) => unknown): Promise<void> {
    // Events travel on a port of their own: the last one must arrive before this call's answer.
    let told: unknown;
    const tell = (event: RunEvent) => {
      told = emit(event);
    };
    await runGpuJob(config, tell, this.#cancel.signal);
    await told;
  }

  cancel(): void {
    this.#cancel.abort();
  }
}

expose(new GpuJob());
