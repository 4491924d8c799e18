import type { RunEvent } from '../core/run/events.ts';

/** The flag of evidence that was taken while the page was hidden. */
export const hiddenFlag = 'tab hidden';
const reason = 'the tab was hidden while this was measured';

/** Browsers slow hidden pages down: their times are kept, but as evidence they are refused. */
export function refuseHidden(event: RunEvent): RunEvent {
  switch (event.kind) {
    case 'sample': {
      const { sample } = event;
      if (sample.status !== 'ok') return event;
      const flags = [...sample.flags, hiddenFlag];
      return { kind: 'sample', sample: { ...sample, status: 'failed', reason, flags } };
    }
    case 'step':
      if (event.step.status !== 'ok') return event;
      return { kind: 'step', step: { ...event.step, status: 'failed', reason } };
    case 'tuning':
    case 'longest':
    case 'environment':
    case 'progress':
    case 'failure':
    case 'done':
      return event;
  }
}

/** How many measurements of a run were refused because the tab was hidden. */
export function hiddenCount(events: readonly RunEvent[]): number {
  return events.filter(
    (event) =>
      (event.kind === 'sample' && event.sample.reason === reason) ||
      (event.kind === 'step' && event.step.reason === reason),
  ).length;
}

/** The parts of `Document` that tell whether anybody can see it. */
type VisiblePage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

/** Watches a page's visibility during a run and refuses what was measured while it was hidden. */
export class VisibilityWatch {
  readonly #page: VisiblePage;
  /** The page was hidden at some time since the last piece of evidence. */
  #wasHidden: boolean;

  constructor(page: VisiblePage) {
    this.#page = page;
    this.#wasHidden = page.hidden;
    page.addEventListener('visibilitychange', this.#onChange);
  }

  /** The event as it may be recorded. */
  judge(event: RunEvent): RunEvent {
    if (event.kind !== 'sample' && event.kind !== 'step') return event;
    const judged = this.#wasHidden ? refuseHidden(event) : event;
    this.#wasHidden = this.#page.hidden;
    return judged;
  }

  stop(): void {
    this.#page.removeEventListener('visibilitychange', this.#onChange);
  }

  readonly #onChange = (): void => {
    if (this.#page.hidden) this.#wasHidden = true;
  };
}

/** What can be held while nobody looks. */
interface Pausable {
  readonly paused: boolean;
  pause(): void;
  resume(): void;
}

/**
 * Holds a run while the page is hidden, and goes on when it is seen again unless the user had held
 * it. Returns the way to stop that.
 */
export function pauseWhileHidden(page: VisiblePage, run: Pausable): () => void {
  let ours = false;
  function follow(): void {
    if (page.hidden && !run.paused) {
      ours = true;
      run.pause();
    } else if (!page.hidden && ours) {
      ours = false;
      run.resume();
    }
  }
  page.addEventListener('visibilitychange', follow);
  follow();
  return () => page.removeEventListener('visibilitychange', follow);
}
