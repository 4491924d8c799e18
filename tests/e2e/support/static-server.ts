import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

export interface StaticServer {
  readonly url: string;
  close(): void;
}

/** Serves a folder under `base` as plain static hosting does: without the isolation headers. */
export function servePlainly(folder: string, base = '/'): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = pathname.startsWith(base) ? pathname.slice(base.length) : 'not here';
    const path = join(
      folder,
      normalize(file === '' || file.endsWith('/') ? `${file}index.html` : file),
    );
    if (!existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}${base}`,
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
