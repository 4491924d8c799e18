import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { preview } from 'vite';

export interface ServedApp {
  readonly url: string;
  close(): Promise<void>;
}

/** What a build depends on; the log of commits because the app tells its own. */
const sources = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'src',
  'shaders',
  'wasm/assembly',
  'public',
  '.git/logs/HEAD',
];
/** Written by every build, at its end. */
const built = 'dist/.vite/manifest.json';

/**
 * Serves the app on a local port, a free one unless told, with the isolation headers; built anew
 * unless nothing that the build depends on has changed since the last one.
 */
export async function serveBuiltApp(port?: number): Promise<ServedApp> {
  if (!isBuildCurrent())
    execFileSync('npm', ['run', 'build', '--silent', '--', '--logLevel', 'warn'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  const place = port === undefined ? {} : { port, strictPort: true };
  const server = await preview({ logLevel: 'warn', preview: { host: '127.0.0.1', ...place } });
  const url = server.resolvedUrls?.local[0];
  if (url === undefined) throw new Error('the preview server has no local address');
  return { url, close: () => server.close() };
}

function isBuildCurrent(): boolean {
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  return sources.filter(existsSync).every((path) => newest(path) < mtimeMs);
}

/** When the file, or anything in the folder, was changed last. */
function newest(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).reduce(
    (latest, file) => Math.max(latest, statSync(join(path, file)).mtimeMs),
    mtimeMs,
  );
}
