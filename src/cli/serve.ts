import { execFileSync } from 'node:child_process';
import { preview } from 'vite';

export interface ServedApp {
  readonly url: string;
  close(): Promise<void>;
}

/** Builds the app and serves it on a free local port with the isolation headers. */
export async function serveBuiltApp(): Promise<ServedApp> {
  execFileSync('npm', ['run', 'build', '--silent', '--', '--logLevel', 'warn'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const server = await preview({ logLevel: 'warn', preview: { host: '127.0.0.1' } });
  const url = server.resolvedUrls?.local[0];
  if (url === undefined) throw new Error('the preview server has no local address');
  return { url, close: () => server.close() };
}
