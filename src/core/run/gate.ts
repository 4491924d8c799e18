/** Thrown at a gate to leave the stage that is under way; what it has measured stays. */
export class StageSkipped extends Error {
  constructor() {
    super('the stage was skipped');
    this.name = 'StageSkipped';
  }
}

/**
 * What a job passes before each measurement. Closed, it holds the job until it is opened; a skipped
 * stage is left by a throw. Nothing is stopped in the middle, so that no time is spoilt by a pause.
 */
export class JobGate {
  #closed = false;
  #skipping = false;
  /** By which the stage under way has been told. */
  #names = new Set<string>();
  #waiting: (() => void)[] = [];

  close(): void {
    this.#closed = true;
  }

  open(): void {
    this.#closed = false;
    this.#release();
  }

  /** A stage begins: what was told before is behind it. */
  beginStage(): void {
    this.#skipping = false;
    this.#names.clear();
  }

  /** The stage under way is told by this name, perhaps one of several. */
  nameStage(name: string): void {
    this.#names.add(name);
  }

  /**
   * Ends the stage that was told by this name at its next measurement. One that has ended by itself in
   * the meantime needs no skip, and the stage after it is not meant.
   */
  skipStage(name: string): void {
    if (!this.#names.has(name)) return;
    this.#skipping = true;
    this.#release();
  }

  /**
   * Resolves at once while the gate is open. Rejects with a `StageSkipped` in a stage that is skipped:
   * for all who pass, since threads that work together must leave together.
   */
  async pass(): Promise<void> {
    while (this.#closed && !this.#skipping)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#skipping) throw new StageSkipped();
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
