import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** First-load budget of design.md and the README, in bytes (kB = 1000 bytes). */
const budgetBytes = 150_000;

interface ManifestChunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')) as Record<
  string,
  ManifestChunk
>;

/** The entry and everything it imports statically: what a browser loads before the page works. */
function firstLoad(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`the build's manifest has no ${key}`);
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const next of chunk.imports ?? []) firstLoad(next, seen);
  return seen;
}

const sizes = [...firstLoad('index.html')].map((file) => ({
  file,
  size: gzipSync(readFileSync(`dist/${file}`), { level: 9 }).byteLength,
}));
for (const { file, size } of sizes) console.log(`${(size / 1000).toFixed(1)} kB  ${file}`);
const total = sizes.reduce((sum, { size }) => sum + size, 0);
console.log(
  `first load: ${(total / 1000).toFixed(1)} kB gzipped JavaScript of ${budgetBytes / 1000} kB`,
);
process.exitCode = total <= budgetBytes ? 0 : 1;
