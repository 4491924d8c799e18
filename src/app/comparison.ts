import {
  mostCompared,
  runName,
  type ComparedRun,
  type RunSource,
} from '../core/compare/comparedRun.ts';
import { pastedLinks } from '../core/compare/pastedLinks.ts';
import type { ReferenceRun } from '../core/compare/referenceIndex.ts';
import { defaultSides, type SideName } from '../core/compare/sides.ts';
import type { InputError } from '../core/run/config.ts';
import type { RunRecord, SummarizedRun } from '../core/run/record.ts';
import { inputErrorText, readRecord } from './files.ts';
import { loadReferenceRun } from './reference.ts';
import { RunStore } from './store.ts';

/** Something that could not be added, and why, one line each. */
export interface ComparisonProblem {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A file that is something else altogether has as many errors as fields. */
const mostErrors = 3;

/** The runs of the compare view: up to six side by side, up to 200 in a class. */
export class Comparison {
  readonly #listeners = new Set<() => void>();
  #runs: readonly ComparedRun[] = [];
  #classRuns: readonly ComparedRun[] = [];
  #chosenSides: ReadonlyMap<string, SideName> = new Map();
  #problems: readonly ComparisonProblem[] = [];
  #added = 0;

  /** Side by side, in the order in which they were added. */
  get runs(): readonly ComparedRun[] {
    return this.#runs;
  }

  /** The runs of the class view. */
  get classRuns(): readonly ComparedRun[] {
    return this.#classRuns;
  }

  get problems(): readonly ComparisonProblem[] {
    return this.#problems;
  }

  /** The side of each run: the user's choice, else that of its repeats. */
  get sides(): ReadonlyMap<string, SideName> {
    return new Map([...defaultSides(this.#runs), ...this.#chosenSides]);
  }

  get full(): boolean {
    return this.#runs.length >= mostCompared;
  }

  /** Calls `listener` after every change; returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds a run side by side; one too many is told as a problem. */
  add(run: SummarizedRun, source: RunSource, name = runName(run)): void {
    this.#problems = [];
    this.#put(this.#compared(run, source, name));
  }

  addRecord(record: RunRecord, source: RunSource, name?: string): void {
    this.add(summarized(record), source, name);
  }

  /** Adds saved runs; what is no run is told by the file's name. */
  async addFiles(files: readonly File[]): Promise<void> {
    const results = await Promise.all(
      files.map(async (file) => ({ file, parsed: await readRecord(file) })),
    );
    this.#problems = [];
    for (const { file, parsed } of results) {
      if (parsed.kind === 'ok') {
        const run = summarized(parsed.value);
        this.#put(this.#compared(run, 'file', run.label ?? file.name));
      } else this.#refuse(`${file.name} is not a run saved by Rooftrace.`, parsed.errors);
    }
    this.#notify();
  }

  async addReference(reference: ReferenceRun): Promise<void> {
    const parsed = await loadReferenceRun(reference);
    this.#problems = [];
    if (parsed.kind === 'ok')
      this.#put(this.#compared(summarized(parsed.value), 'reference', reference.name));
    else this.#refuse(`${reference.name} could not be loaded.`, parsed.errors);
    this.#notify();
  }

  /** Adds the links of a text: side by side while there is room, and to the class either way. */
  async addLinks(text: string): Promise<void> {
    const { links, refused, leftOut } = pastedLinks(text);
    const { decodeLink } = await import('../core/run/link.ts');
    const results = await Promise.all(links.map(decodeLink));
    this.#problems = [];
    const found: ComparedRun[] = [];
    const errors: InputError[] = [];
    for (const parsed of results)
      if (parsed.kind === 'ok')
        found.push(this.#compared(parsed.value, 'link', runName(parsed.value)));
      else errors.push(...parsed.errors);
    if (errors.length > 0) this.#refuse(unreadable(errors.length), errors);
    if (refused.length > 0) this.#tell('These are addresses, but not of shared runs.', refused);
    if (leftOut > 0) this.#tell('A class has at most 200 links.', [`${leftOut} were left out.`]);
    if (links.length === 0 && refused.length === 0)
      this.#tell('There is no link in this text.', ['A link of a shared run holds #r=.']);
    if (found.length <= mostCompared - this.#runs.length) for (const run of found) this.#put(run);
    else this.#classRuns = [...this.#classRuns, ...found].slice(0, 200);
    this.#notify();
  }

  /** Puts a run of the class side by side with others, or takes it away. */
  toggle(run: ComparedRun): void {
    this.#problems = [];
    if (this.#runs.some(({ id }) => id === run.id)) this.remove(run.id);
    else this.#put(run);
    this.#notify();
  }

  remove(id: string): void {
    this.#runs = this.#runs.filter((run) => run.id !== id);
    this.#notify();
  }

  clearClass(): void {
    this.#classRuns = [];
    this.#notify();
  }

  chooseSide(id: string, side: SideName): void {
    this.#chosenSides = new Map([...this.#chosenSides, [id, side]]);
    this.#notify();
  }

  #compared(run: SummarizedRun, source: RunSource, name: string): ComparedRun {
    this.#added += 1;
    return { id: `run-${this.#added}`, source, name, run };
  }

  #put(run: ComparedRun): void {
    if (this.full)
      this.#tell(`A comparison holds ${mostCompared} runs.`, [
        `Take one away to make room for ${run.name}.`,
      ]);
    else this.#runs = [...this.#runs, run];
    this.#notify();
  }

  #refuse(title: string, errors: readonly InputError[]): void {
    this.#tell(title, errors.slice(0, mostErrors).map(inputErrorText));
  }

  #tell(title: string, lines: readonly string[]): void {
    this.#problems = [...this.#problems, { title, lines }];
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function summarized({ events, ...header }: RunRecord): SummarizedRun {
  return new RunStore(header, events).summarized();
}

function unreadable(count: number): string {
  return count === 1 ? '1 link could not be read.' : `${count} links could not be read.`;
}
