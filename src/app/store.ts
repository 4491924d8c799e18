import type { RunEvent } from '../core/run/events.ts';
import type { RunRecord, RunSummary, SummarizedRun } from '../core/run/record.ts';
import { summary, SummaryParts } from '../core/run/summary.ts';
import { renamed } from './historyEntry.ts';

/** A record without its events: what is known when a run starts. */
export type RecordHeader = Omit<RunRecord, 'events'>;

/**
 * The append-only list of a run's events. Everything else is derived from it, so a live run and an
 * opened file go through the same code; what is derived is remembered until the list grows.
 */
export class RunStore {
  #header: RecordHeader;
  readonly #events: RunEvent[];
  /** Events other than progress: only these can change the summary. */
  #evidenceCount: number;
  #record: RunRecord | undefined;
  readonly #parts = new SummaryParts();
  #summary: { readonly evidenceCount: number; readonly value: RunSummary } | undefined;

  constructor(header: RecordHeader, events: readonly RunEvent[] = []) {
    this.#header = header;
    this.#events = [...events];
    this.#evidenceCount = events.filter(({ kind }) => kind !== 'progress').length;
  }

  append(event: RunEvent): void {
    this.#events.push(event);
    if (event.kind !== 'progress') this.#evidenceCount += 1;
  }

  record(): RunRecord {
    if (this.#record?.events.length !== this.#events.length)
      this.#record = { ...this.#header, events: [...this.#events] };
    return this.#record;
  }

  /** An empty label takes the run's away. */
  rename(label: string): void {
    this.#header = renamed(this.#header, label);
    this.#record = undefined;
  }

  summary(): RunSummary {
    if (this.#summary?.evidenceCount !== this.#evidenceCount)
      this.#summary = {
        evidenceCount: this.#evidenceCount,
        value: summary(this.record(), this.#parts),
      };
    return this.#summary.value;
  }

  /** The run as its summary, as a link would bring it. */
  summarized(): SummarizedRun {
    const { schema: _schema, environment: _environment, ...header } = this.#header;
    return { ...header, summary: this.summary() };
  }
}
