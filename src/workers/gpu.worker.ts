import { expose } from 'comlink';
import type { RunConfig } from '../core/run/config.ts';
import type { RunEvent } from '../core/run/events.ts';
import { JobGate } from '../core/run/gate.ts';
import type { RunTask } from '../core/run/task.ts';
import type { EarlierChoices } from '../core/tuning/keptChoices.ts';
import { runGpuJob } from '../gpu/job.ts';
import type { DeviceJob, StartThread } from './api.ts';

class GpuJob implements DeviceJob {
  readonly #cancel = new AbortController();
  readonly #gate = new JobGate();

  async start(
    config: RunConfig,
    task: RunTask,
    emit: (event: RunEvent) => unknown,
    _startThread: StartThread,
    earlierChoices: EarlierChoices,
  ): Promise<void> {
    // Events travel on a port of their own: the last one must arrive before this call's answer.
    let told: unknown;
    const tell = (event: RunEvent) => {
      told = emit(event);
    };
    const options = { gate: this.#gate, earlierChoices, task };
    await runGpuJob(config, tell, this.#cancel.signal, options);
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
  }
}

expose(new GpuJob());
