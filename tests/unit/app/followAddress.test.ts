import { expect, it } from 'vitest';
import { followAddress } from '../../../src/app/followAddress.ts';
import type { RunHistory } from '../../../src/app/history.ts';
import { Navigation } from '../../../src/app/navigation.ts';
import type { Session } from '../../../src/app/session.ts';

/** A window's address, with a history of one entry. */
class AddressedPage extends EventTarget {
  location = new URL('https://example.org/?device=cpu') as unknown as Location;
  readonly history = {
    replaceState: (_state: unknown, _title: string, href: string) => {
      this.location = new URL(href, 'https://example.org/') as unknown as Location;
    },
  } as History;

  /** What Back and a pasted address do. */
  goTo(href: string): void {
    this.history.replaceState(null, '', href);
    this.dispatchEvent(new Event('popstate'));
  }
}

it('leaves a run under way alone, and takes the link that is not shown out of the address', async () => {
  const page = new AddressedPage();
  const navigation = new Navigation(page);
  const told: string[] = [];
  const session = {
    busy: true,
    clear: () => told.push('clear'),
    refuse: () => told.push('refuse'),
  };
  const history = { list: () => Promise.resolve([]) } as unknown as RunHistory;
  await followAddress(session as unknown as Session, navigation, Promise.resolve(history));
  page.goTo('/?device=cpu#r=AAAA');
  expect(page.location.href).toBe('https://example.org/?device=cpu');
  expect(told).toEqual([]);
  session.busy = false;
  page.goTo('/?device=cpu#r=AAAA');
  await expect.poll(() => told).toEqual(['refuse']);
  expect(page.location.hash).toBe('#r=AAAA');
});
