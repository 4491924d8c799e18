import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import temml from 'temml';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import packageJson from './package.json' with { type: 'json' };

/** Isolation headers: without them a page gets no shared memory, and so one CPU thread. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

/** Changes with the data set, whose manifest holds the digest of every file. */
function dataRevision(): string {
  const manifest = readFileSync('public/data/fashion-mnist/manifest.json');
  return createHash('sha256').update(manifest).digest('hex').slice(0, 12);
}

/** Imports of `formulas.json?mathml`: TeX by name in the file, MathML by name in the page. */
const mathml: Plugin = {
  name: 'mathml',
  enforce: 'pre',
  load(id) {
    const [file, query] = id.split('?');
    if (query !== 'mathml' || file === undefined) return undefined;
    const sources = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    const formulas = Object.entries(sources).map(([name, tex]) => [
      name,
      temml.renderToString(tex, { displayMode: true, throwOnError: true }),
    ]);
    const code = `export default ${JSON.stringify(Object.fromEntries(formulas))}`;
    return { code, moduleType: 'js' };
  },
};

/** The app's one service worker, written by us; the plugin gives it the list of the app's files. */
const serviceWorker = VitePWA({
  strategies: 'injectManifest',
  srcDir: 'src/service-worker',
  filename: 'service-worker.ts',
  injectRegister: false,
  manifest: false,
  injectManifest: {
    rollupFormat: 'iife',
    // Not the data set: it is kept when a run first needs it.
    globPatterns: ['**/*.{html,js,css,wasm,svg,png,json,webmanifest}'],
    globIgnores: ['data/**'],
  },
});

export default defineConfig({
  base: './',
  plugins: [mathml, serviceWorker],
  define: {
    __APP_VERSION__: JSON.stringify(packageJson.version),
    __APP_COMMIT__: JSON.stringify(commit()),
    __DATA_REVISION__: JSON.stringify(dataRevision()),
  },
  server: { headers },
  preview: { headers },
  worker: { format: 'es' },
  build: { target: 'es2023', manifest: true },
});
