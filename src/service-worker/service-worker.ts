import { PrecacheController, type PrecacheEntry } from 'workbox-precaching';
import { isolated } from './isolation.ts';

// Constants of the build (vite.config.ts).
/* oxlint-disable no-underscore-dangle */
declare const __DATA_REVISION__: string;
declare const self: ServiceWorkerGlobalScope & {
  /** The app's files with their revisions; the build writes them in. */
  readonly __WB_MANIFEST: PrecacheEntry[];
};

const app = new PrecacheController();
app.addToCacheList(self.__WB_MANIFEST);
/* oxlint-enable no-underscore-dangle */

// Several copies of the app may live on one origin, each under its own path.
const dataCachePrefix = `rooftrace-data-${self.registration.scope}-`;
const dataCache = `${dataCachePrefix}${__DATA_REVISION__}`;
const dataFolder = new URL('data/', self.registration.scope).href;

self.addEventListener('install', (event) => {
  void app.install(event);
});

self.addEventListener('activate', (event) => {
  void app.activate(event);
  event.waitUntil(
    Promise.all([
      // The page that registered this worker is served by it from now on.
      self.clients.claim(),
      dropOldData(),
    ]),
  );
});

// A new version waits until the user asks for it: files of two versions do not mix.
self.addEventListener('message', ({ data }) => {
  if ((data as { readonly type?: unknown } | null)?.type === 'SKIP_WAITING')
    void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request).then(isolated));
});

async function answer(request: Request): Promise<Response> {
  return (
    (await app.matchPrecache(fileOf(request.url))) ??
    (request.url.startsWith(dataFolder) ? dataFile(request) : fetch(request))
  );
}

/** The address of the file that a URL stands for: the app has one page, its state is in the query. */
function fileOf(address: string): string {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  if (url.href === self.registration.scope) return new URL('index.html', url).href;
  return url.href;
}

/** From the cache, else from the network and into the cache: large files are kept on first use. */
async function dataFile(request: Request): Promise<Response> {
  const cache = await caches.open(dataCache);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

async function dropOldData(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(dataCachePrefix) && name !== dataCache);
  await Promise.all(old.map((name) => caches.delete(name)));
}
