/**
 * What was last derived under each name, handed out again while its inputs are the very same ones: an
 * append-only list that is analysed again and again costs only what its new values change.
 */
export class Remembered<Output> {
  readonly #last = new Map<string, { inputs: readonly unknown[]; output: Output }>();

  /** The output for `inputs`, compared one by one by identity; `derive` must depend on nothing else. */
  of(name: string, inputs: readonly unknown[], derive: () => Output): Output {
    const last = this.#last.get(name);
    if (last !== undefined && areSame(last.inputs, inputs)) return last.output;
    const output = derive();
    this.#last.set(name, { inputs, output });
    return output;
  }
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
