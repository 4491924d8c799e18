import { addressText, readAddress, type Address, type AddressState } from './address.ts';

/** What changes of an address; `undefined` takes a lesson or a link out of it. */
export type AddressChange = Partial<Pick<Address, 'view' | 'embed' | 'config'>> & {
  readonly lesson?: number | undefined;
  readonly link?: string | undefined;
};

/** The parts of a window that hold its address. */
type AddressedPage = Pick<Window, 'location' | 'history' | 'addEventListener'>;

/** The page's state as its address holds it. Back and forward change it like a click. */
export class Navigation {
  readonly #page: AddressedPage;
  readonly #listeners = new Set<() => void>();
  #address: AddressState;

  constructor(page: AddressedPage) {
    this.#page = page;
    this.#address = readAddress(page.location);
    // Fires on Back and Forward, and when somebody edits or pastes another fragment.
    page.addEventListener('popstate', () => this.#read());
  }

  get address(): AddressState {
    return this.#address;
  }

  /** Calls `listener` after every change; returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Goes to a changed address; Back returns. */
  go(change: AddressChange): void {
    this.#page.history.pushState(null, '', this.href(change));
    this.#read();
  }

  /** Changes the address in place. */
  replace(change: AddressChange): void {
    this.#page.history.replaceState(null, '', this.href(change));
    this.#read();
  }

  /** Path, query and fragment of a changed address, for links. */
  href(change: AddressChange): string {
    const { location } = this.#page;
    const address = merged(this.#address, change);
    return `${location.pathname}${addressText(address, location.search)}`;
  }

  #read(): void {
    this.#address = readAddress(this.#page.location);
    for (const listener of this.#listeners) listener();
  }
}

function merged(address: Address, change: AddressChange): Address {
  const { view, embed, config, lesson, link } = { ...address, ...change };
  return {
    view,
    embed,
    config,
    ...(lesson !== undefined && { lesson }),
    ...(link !== undefined && { link }),
  };
}
