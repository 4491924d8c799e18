import { expose } from 'comlink';
import { ManualGate } from '../core/training/gate.ts';
import type { Recipe } from '../core/training/recipe.ts';
import type { EarlierChoices } from '../core/tuning/keptChoices.ts';
import { openDevice } from '../gpu/device.ts';
import { failureOf } from '../gpu/faults.ts';
import { trainOnGpu } from '../gpu/train/trainingJob.ts';
import type { TrainingJob, TrainingJobEvent } from './api.ts';

class GpuTrainingJob implements TrainingJob {
  readonly #gate = new ManualGate();
  readonly #stop = new AbortController();

  async train(
    recipe: Recipe,
    earlierChoices: EarlierChoices,
    emit: (event: TrainingJobEvent) => unknown,
  ): Promise<void> {
    // Events travel on a port of their own: the last one must arrive before this call's answer.
    let told: unknown;
    const tell = (event: TrainingJobEvent): void => {
      told = emit(event);
    };
    const opened = await openDevice();
    switch (opened.kind) {
      case 'failure':
        tell(opened);
        break;
      case 'ok': {
        const begin = performance.now();
        const { device, environment } = opened;
        const deviceName = environment.description || environment.architecture || 'the GPU';
        const ready = (): void =>
          tell({ kind: 'ready', deviceName, seconds: (performance.now() - begin) / 1000 });
        try {
          const lead = { gate: this.#gate, ready, tell, signal: this.#stop.signal };
          await trainOnGpu(opened, recipe, earlierChoices, lead);
        } catch (error) {
          if (!this.#gate.stopped) tell({ kind: 'failure', failure: failureOf(error, 'training') });
        }
        device.destroy();
        break;
      }
    }
    tell({ kind: 'ended', stopped: this.#gate.stopped });
    await told;
  }

  pause(): void {
    this.#gate.pause();
  }

  resume(): void {
    this.#gate.resume();
  }

  stop(): void {
    this.#gate.stop();
    this.#stop.abort();
  }
}

expose(new GpuTrainingJob());
