import { describe, expect, it } from 'vitest';
import { withProfile } from '../../../src/core/run/config.ts';
import { Navigation } from '../../../src/app/navigation.ts';

/** A window's address and history, of the kind that a browser keeps. */
class AddressedWindow extends EventTarget {
  readonly entries: string[];
  index = 0;
  constructor(address: string) {
    super();
    this.entries = [address];
  }
  get location(): Location {
    const { pathname, search, hash } = new URL(this.entries[this.index] ?? '', 'http://page.test');
    return { pathname, search, hash } as Location;
  }
  get history(): History {
    const write = (address: string, index: number): void => {
      this.entries.splice(index, Infinity, address);
      this.index = index;
    };
    const history: Pick<History, 'pushState' | 'replaceState' | 'back'> = {
      pushState: (_state, _title, address) => write(String(address), this.index + 1),
      replaceState: (_state, _title, address) => write(String(address), this.index),
      back: () => {
        this.index -= 1;
        this.dispatchEvent(new Event('popstate'));
      },
    };
    return history as History;
  }
}

describe('Navigation', () => {
  it('keeps its state in the address, and Back returns', () => {
    const page = new AddressedWindow('/app/?utm_source=x');
    const navigation = new Navigation(page);
    const seen: string[] = [];
    navigation.subscribe(() => seen.push(navigation.address.view));
    navigation.go({ view: 'learn', lesson: 2 });
    expect(page.entries.at(-1)).toBe('/app/?utm_source=x&view=learn&lesson=2');
    navigation.go({ view: 'compare', lesson: undefined });
    page.history.back();
    expect(navigation.address).toMatchObject({ view: 'learn', lesson: 2 });
    expect(seen).toEqual(['learn', 'compare', 'learn']);
  });

  it('replaces without a step for Back, and takes the link out when asked', () => {
    const page = new AddressedWindow('/?embed#r=abc');
    const navigation = new Navigation(page);
    navigation.replace({ config: withProfile(navigation.address.config, 'full') });
    expect(page.entries).toEqual(['/?embed&profile=full#r=abc']);
    navigation.replace({ link: undefined });
    expect(page.entries).toEqual(['/?embed&profile=full']);
  });
});
