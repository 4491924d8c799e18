/** Where the images of training lie beside the page, and the list of them. */
const folder = 'data/fashion-mnist/';
const manifest = 'manifest.json';

/** Whether training works without a network. */
export type ImagesState =
  /** Not looked yet, or nothing in this browser keeps files for the page. */
  | 'unknown'
  | 'absent'
  /** A run trains on a part of them. */
  | 'partial'
  | 'loading'
  | 'kept'
  /** They were asked for, and did not come. */
  | 'unreachable';

/** The parts of a window by which files are fetched and found again. */
export interface KeepingPage {
  readonly document: Pick<Document, 'baseURI'>;
  readonly navigator: {
    readonly serviceWorker?: Pick<ServiceWorkerContainer, 'controller' | 'addEventListener'>;
  };
  readonly caches?: { match(address: string): Promise<Response | undefined> };
  fetch(address: string): Promise<Response>;
}

/**
 * The images that training reads, which the service worker keeps once they were fetched. They are larger
 * than the app: they come when a training first needs them, or earlier if the user asks for them.
 */
export class KeptImages {
  readonly #page: KeepingPage;
  readonly #listeners = new Set<() => void>();
  #state: ImagesState = 'unknown';

  constructor(page: KeepingPage) {
    this.#page = page;
    page.navigator.serviceWorker?.addEventListener('controllerchange', () => void this.look());
  }

  get state(): ImagesState {
    return this.#state;
  }

  /** Calls `listener` after every change; returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks whether they are kept; fetches nothing. */
  async look(): Promise<void> {
    if (this.#state === 'loading') return;
    const found = await this.#found();
    if (found !== this.#state) this.#change(found);
  }

  /** Fetches those that are not kept. */
  async keep(): Promise<void> {
    if (this.#state === 'loading' || this.#state === 'unknown') return;
    this.#change('loading');
    try {
      const list = await this.#fetched(manifest);
      for (const file of filesOf(await list.json()))
        await (await this.#fetched(file)).arrayBuffer();
      this.#change(await this.#found());
    } catch {
      this.#change('unreachable');
    }
  }

  /** Fetches the rest once a training has needed some of them. */
  async complete(): Promise<void> {
    await this.look();
    if (this.#state === 'partial') await this.keep();
  }

  async #found(): Promise<ImagesState> {
    const { caches, navigator } = this.#page;
    if (caches === undefined || !navigator.serviceWorker?.controller) return 'unknown';
    try {
      const list = await caches.match(this.#address(manifest));
      if (list === undefined) return 'absent';
      const files = filesOf(await list.json());
      const found = await Promise.all(files.map((file) => caches.match(this.#address(file))));
      return found.every((response) => response !== undefined) ? 'kept' : 'partial';
    } catch {
      // Some private windows have a cache that refuses to be asked.
      return 'unknown';
    }
  }

  async #fetched(file: string): Promise<Response> {
    const response = await this.#page.fetch(this.#address(file));
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    return response;
  }

  #address(file: string): string {
    return new URL(folder + file, this.#page.document.baseURI).href;
  }

  #change(state: ImagesState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The manifest has an entry for every file. */
function filesOf(list: unknown): readonly string[] {
  return Object.keys(list as object);
}
