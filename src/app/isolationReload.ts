/** What the page is doing while its service worker takes charge of it. */
export interface PageSituation {
  /** Cross-origin isolated already: memory can be shared. */
  readonly isolated: boolean;
  /** A service worker answers for this page: loaded again, it will be isolated. */
  readonly controlled: boolean;
  /** Not in a frame. */
  readonly topLevel: boolean;
  /** The tab was reloaded for this before: a second time would help no more. */
  readonly reloadedBefore: boolean;
  /** Somebody reads or measures: a run under way or shown, a link, a lesson. */
  readonly occupied: boolean;
}

/** Whether to load the page again, so that the headers which its service worker adds isolate it. */
export function shouldReload(situation: PageSituation): boolean {
  const { isolated, controlled, topLevel, reloadedBefore, occupied } = situation;
  return !isolated && controlled && topLevel && !reloadedBefore && !occupied;
}
