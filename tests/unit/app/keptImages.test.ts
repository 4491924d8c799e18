import { expect, it } from 'vitest';
import { KeptImages, type ImagesState, type KeepingPage } from '../../../src/app/keptImages.ts';

const base = 'https://example.org/some/path/';
const folder = `${base}data/fashion-mnist/`;
const manifest = JSON.stringify({ 'train.gz': {}, 'test.gz': {} });

function answer(address: string): Response {
  return new Response(address.endsWith('manifest.json') ? manifest : 'bytes');
}

/** A page whose service worker keeps what was fetched, and a network that has some files. */
function pageWith(kept: Set<string>, network: readonly string[]): KeepingPage {
  return {
    document: { baseURI: `${base}?view=train` },
    navigator: {
      serviceWorker: { controller: {} as ServiceWorker, addEventListener() {} },
    },
    caches: {
      match: (address) => Promise.resolve(kept.has(address) ? answer(address) : undefined),
    },
    fetch(address) {
      if (!kept.has(address) && !network.includes(address))
        return Promise.reject(new TypeError('no network'));
      kept.add(address);
      return Promise.resolve(answer(address));
    },
  };
}

const all = ['manifest.json', 'train.gz', 'test.gz'].map((file) => folder + file);

it.each<readonly [readonly string[], ImagesState]>([
  [[], 'absent'],
  [all.slice(0, 2), 'partial'],
  [all, 'kept'],
])('of %j the images are %s', async (kept, state) => {
  const images = new KeptImages(pageWith(new Set(kept), []));
  await images.look();
  expect(images.state).toBe(state);
});

it('keeps what is missing when asked, and tells so', async () => {
  const images = new KeptImages(pageWith(new Set(all.slice(0, 1)), all));
  const states: ImagesState[] = [];
  images.subscribe(() => states.push(images.state));
  await images.look();
  await images.keep();
  expect(states).toEqual(['partial', 'loading', 'kept']);
});

it('completes what a training has begun, and begins nothing', async () => {
  const nothing = new KeptImages(pageWith(new Set(), all));
  await nothing.complete();
  expect(nothing.state).toBe('absent');
  const some = new KeptImages(pageWith(new Set(all.slice(0, 2)), all));
  await some.complete();
  expect(some.state).toBe('kept');
});

it('says when the network does not answer, and can be asked again', async () => {
  const network: string[] = [];
  const images = new KeptImages(pageWith(new Set(), network));
  await images.look();
  await images.keep();
  expect(images.state).toBe('unreachable');
  network.push(...all);
  await images.keep();
  expect(images.state).toBe('kept');
});

it('knows nothing without a service worker, or where the cache may not be asked', async () => {
  const page = pageWith(new Set(all), all);
  const alone = new KeptImages({ ...page, navigator: {} });
  const denied = new KeptImages({
    ...page,
    caches: { match: () => Promise.reject(new DOMException('denied', 'SecurityError')) },
  });
  for (const images of [alone, denied]) {
    await images.look();
    await images.keep();
    expect(images.state).toBe('unknown');
  }
});
