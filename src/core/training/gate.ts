import type { TrainingGate } from './trainingRun.ts';

/** Why a run that was stopped rejects. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** A gate that somebody opens, closes, or ends the run at. */
export class ManualGate implements TrainingGate {
  #waiting: (() => void)[] = [];
  #paused = false;
  #stopped = false;

  get stopped(): boolean {
    return this.#stopped;
  }

  async pass(): Promise<void> {
    while (this.#paused && !this.#stopped)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#stopped) throw new Stopped('the training was stopped');
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#wake();
  }

  /** For good. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
