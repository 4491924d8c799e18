import { execFileSync } from 'node:child_process';
import { defineConfig } from 'vite';
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

export default defineConfig({
  base: './',
  define: {
    __APP_VERSION__: JSON.stringify(packageJson.version),
    __APP_COMMIT__: JSON.stringify(commit()),
  },
  server: { headers },
  preview: { headers },
  worker: { format: 'es' },
  build: { target: 'es2023', manifest: true },
});
