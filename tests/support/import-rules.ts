/** A part of `src/` and what it may import. The first rule whose `from` matches a file is its rule. */
export interface ImportRule {
  readonly from: RegExp;
  /** Targets: paths from the repository's root, or bare package names. */
  readonly allow: readonly RegExp[];
  readonly reason: string;
}

const core = /^src\/core\//;
const data = /^src\/data\//;
const api = /^src\/workers\/api\.ts$/;

export const importRules: readonly ImportRule[] = [
  {
    from: /^src\/core\//,
    allow: [core, /^(simple-statistics|valibot)$/],
    reason:
      'core is pure: it runs the same in a page, a worker and Node, so it takes only itself and pure libraries',
  },
  {
    from: /^src\/data\//,
    allow: [core],
    reason: 'the data set is fetched for any executor, so it may know none of them',
  },
  {
    from: /^src\/gpu\/(kernels|probes)\//,
    allow: [core, /^src\/gpu\//, /^shaders\/.*\.wgsl\?raw$/],
    reason: 'a kernel owner is WGSL and pure counts; only owners read shaders',
  },
  {
    from: /^src\/gpu\//,
    allow: [core, data, /^src\/gpu\//],
    reason: 'the GPU path must work in a worker and know neither the page nor the CPU path',
  },
  {
    from: /^src\/cpu\//,
    allow: [core, data, /^src\/cpu\//, /^wasm\/build\//],
    reason: 'the CPU path is core and the built WASM; it knows neither the page nor the GPU path',
  },
  {
    from: api,
    allow: [core],
    reason: 'the boundary between page and workers is types over core alone',
  },
  {
    from: /^src\/workers\/cpu\.worker\.ts$/,
    allow: [api, core, data, /^src\/cpu\//, /^comlink$/, /^src\/workers\/cpu-thread\.worker\.ts$/],
    reason: 'the CPU coordinator starts its own threads, and knows no other device',
  },
  {
    from: /^src\/workers\/.*\.worker\.ts$/,
    allow: [api, core, data, /^src\/(gpu|cpu)\//, /^comlink$/],
    reason: 'a worker is an entry point to one device and never imports from the page',
  },
  {
    from: /^src\/app\/(?:runner|training)\.ts$/,
    allow: [core, /^src\/app\//, api, /^comlink$/, /^src\/workers\/.*\.worker\.ts(\?worker.*)?$/],
    reason: 'what starts a job starts its workers and speaks comlink, and nothing else does',
  },
  {
    from: /^src\/app\/offline\.ts$/,
    allow: [/^src\/app\//, /^workbox-window$/],
    reason: 'one file speaks to the service worker',
  },
  {
    from: /^src\/app\/(history|choiceStore)\.ts$/,
    allow: [core, /^src\/app\//, /^idb$/],
    reason: 'the files that keep something in the browser are few',
  },
  {
    from: /^src\/app\//,
    allow: [core, /^src\/app\//, api],
    reason: 'what the page does is independent of how it looks and of the devices',
  },
  {
    from: /^src\/ui\/roofline-chart\.ts$/,
    allow: [core, /^src\/(app|ui)\//, /^lit($|\/)/, /^uplot($|\/)/],
    reason: 'uPlot stays in one file, so that the chart library can be replaced there',
  },
  {
    from: /^src\/ui\/qr-code\.ts$/,
    allow: [/^src\/ui\//, /^lit($|\/)/, /^uqr$/],
    reason: 'one file makes QR codes',
  },
  {
    from: /^src\/ui\//,
    allow: [core, /^src\/(app|ui)\//, /^lit($|\/)/],
    reason: 'elements show what the app knows; they start no work of their own',
  },
  {
    from: /^src\/cli\//,
    allow: [core, /^src\/cli\//, /^node:/, /^(playwright|vite)$/, /^vite\.config\.ts$/],
    reason: 'the command line drives the page in a browser; it measures nothing itself',
  },
  {
    from: /^src\/service-worker\//,
    allow: [/^src\/service-worker\//, /^workbox-precaching$/],
    reason: 'the service worker serves files and knows nothing of what they do',
  },
  {
    from: /^src\/main\.ts$/,
    allow: [/^src\/(app|ui)\//],
    reason: 'the composition root joins app and ui',
  },
];
