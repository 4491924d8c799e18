import type { Workbox } from 'workbox-window';
import { shouldReload } from './isolationReload.ts';

const script = './service-worker.js';
/** In the tab's own storage: it must outlive the reload, and no more than that. */
const reloadedKey = 'rooftrace:reloaded-for-isolation';

/**
 * The page's service worker: keeps the app for use without a network, adds the isolation headers
 * where the host does not send them, and waits with a new version until it is asked for.
 */
export class OfflineApp {
  readonly #page: Window;
  readonly #occupied: () => boolean;
  readonly #listeners = new Set<() => void>();
  #worker: Workbox | undefined;
  #updateWaiting = false;
  #updateAsked = false;

  /** `occupied` tells whether a reload would now take something away from the user. */
  constructor(page: Window, occupied: () => boolean) {
    this.#page = page;
    this.#occupied = occupied;
  }

  /** A new version is ready and waits for `update`. */
  get updateWaiting(): boolean {
    return this.#updateWaiting;
  }

  /** Calls `listener` when a new version is ready; returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Registers the worker. A frame registers none; private windows and plain HTTP have none. */
  async start(): Promise<void> {
    const { isSecureContext, navigator } = this.#page;
    if (!this.#topLevel || !isSecureContext || !('serviceWorker' in navigator)) return;
    const { Workbox: WorkboxClass } = await import('workbox-window');
    const worker = new WorkboxClass(script);
    this.#worker = worker;
    worker.addEventListener('waiting', () => {
      this.#updateWaiting = true;
      for (const listener of this.#listeners) listener();
    });
    navigator.serviceWorker.addEventListener('controllerchange', this.#onController);
    try {
      await worker.register();
    } catch {
      // Without it the app works, only not offline: nothing that a user could act on.
      return;
    }
    this.isolate();
  }

  /** Loads the page again, once a tab, if that isolates it and takes nothing away. */
  isolate(): void {
    const { crossOriginIsolated, navigator, location } = this.#page;
    const situation = {
      isolated: crossOriginIsolated,
      controlled: 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null,
      topLevel: this.#topLevel,
      reloadedBefore: this.#reloadedBefore(),
      occupied: this.#occupied(),
    };
    if (shouldReload(situation) && this.#rememberReload()) location.reload();
  }

  /** Puts the waiting version in charge and loads it. */
  update(): void {
    this.#updateAsked = true;
    this.#worker?.messageSkipWaiting();
  }

  get #topLevel(): boolean {
    return this.#page.top === this.#page;
  }

  readonly #onController = (): void => {
    // Another tab may have asked for the update: a run in this one goes on with what is loaded.
    const updated = this.#updateAsked || (this.#updateWaiting && !this.#occupied());
    if (updated) this.#page.location.reload();
    else this.isolate();
  };

  #reloadedBefore(): boolean {
    try {
      return this.#page.sessionStorage.getItem(reloadedKey) !== null;
    } catch {
      return true;
    }
  }

  /** False where it cannot be remembered: the page would reload for ever. */
  #rememberReload(): boolean {
    try {
      this.#page.sessionStorage.setItem(reloadedKey, 'yes');
      return true;
    } catch {
      return false;
    }
  }
}
