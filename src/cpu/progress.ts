import type { RunEvent } from '../core/run/events.ts';

/** Progress events are no more frequent than this. */
const intervalSeconds = 0.1;

/** How much measured time the expectation is worth: the first moments say little of the pace. */
const expectationSeconds = 2;

/** Tells how far the job is, from how long each part was expected to take. */
export class Progress {
  readonly #emit: (event: RunEvent) => void;
  readonly #expectedSeconds: number;
  readonly #start = performance.now();
  #doneSeconds = 0;
  #lastTold = -Infinity;

  constructor(expectedSeconds: number, emit: (event: RunEvent) => void) {
    this.#expectedSeconds = expectedSeconds;
    this.#emit = emit;
  }

  /** The first word of a stage is told at once: what is shown can be skipped. */
  beginStage(): void {
    this.#lastTold = -Infinity;
  }

  /** Part of `stage` is behind us, which was expected to take so many seconds. */
  advance(stage: string, expectedSeconds: number): void {
    this.#doneSeconds += expectedSeconds;
    const elapsed = (performance.now() - this.#start) / 1000;
    if (elapsed - this.#lastTold < intervalSeconds) return;
    this.#lastTold = elapsed;
    const fraction = Math.min(1, this.#doneSeconds / this.#expectedSeconds);
    const pace = (elapsed + expectationSeconds) / (this.#doneSeconds + expectationSeconds);
    this.#emit({
      kind: 'progress',
      device: 'cpu',
      stage,
      fraction,
      remainingSeconds: Math.max(0, this.#expectedSeconds - this.#doneSeconds) * pace,
    });
  }
}
