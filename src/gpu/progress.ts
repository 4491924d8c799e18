import type { RunEvent } from '../core/run/events.ts';

type ProgressEvent = Extract<RunEvent, { readonly kind: 'progress' }>;

/** Progress events come no more often than this. */
const intervalSeconds = 0.1;

/** Tells how far a job is that runs stages of known expected length, one after the other. */
export class Progress {
  readonly #emit: (event: ProgressEvent) => void;
  readonly #totalSeconds: number;
  readonly #start = performance.now();
  #doneSeconds = 0;
  #stageSeconds = 0;
  #told = -Infinity;

  constructor(totalSeconds: number, emit: (event: ProgressEvent) => void) {
    this.#totalSeconds = totalSeconds;
    this.#emit = emit;
  }

  /** The stage before is over, and one begins that should take so long; that is told at once. */
  begin(stage: string, stageSeconds: number): void {
    this.#doneSeconds += this.#stageSeconds;
    this.#stageSeconds = stageSeconds;
    this.#told = -Infinity;
    this.tell(stage, 0);
  }

  /** `share` of the stage that has begun is over, 0 to 1. */
  tell(stage: string, share: number): void {
    const elapsed = (performance.now() - this.#start) / 1000;
    if (elapsed - this.#told < intervalSeconds) return;
    this.#told = elapsed;
    const done = this.#doneSeconds + this.#stageSeconds * Math.min(1, Math.max(0, share));
    // A slower machine than expected stays as much slower.
    const pace = Math.max(1, done > 0 ? elapsed / done : 1);
    this.#emit({
      kind: 'progress',
      device: 'gpu',
      stage,
      fraction: done / this.#totalSeconds,
      remainingSeconds: (this.#totalSeconds - done) * pace,
    });
  }
}
