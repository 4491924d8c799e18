/** How long kernels were being compiled; those compiled at the same time count once. */
export class CompileClock {
  #underWay = 0;
  #since = 0;
  #seconds = 0;

  /** Seconds so far, of compilations that are over. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Resolves or rejects as `compilation` does. */
  async time<T>(compilation: Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#since = performance.now();
    this.#underWay += 1;
    try {
      return await compilation;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#seconds += (performance.now() - this.#since) / 1000;
    }
  }
}
