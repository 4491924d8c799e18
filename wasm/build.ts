import { main } from 'assemblyscript/asc';
import { fileURLToPath } from 'node:url';

/** Each target of asconfig.json, and the source whose exports it has. */
const entries: Readonly<Record<string, string>> = {
  simd: 'assembly/index.ts',
  'simd-shared': 'assembly/index.ts',
  'relaxed-simd': 'assembly/relaxed.ts',
  'relaxed-simd-shared': 'assembly/relaxed.ts',
};

const folder = fileURLToPath(new URL('.', import.meta.url));

for (const [target, entry] of Object.entries(entries)) {
  const { error } = await main(
    [entry, '--target', target, '--baseDir', folder, '--config', 'asconfig.json'],
    { stdout: process.stdout, stderr: process.stderr },
  );
  if (error !== null) {
    console.error(`wasm target ${target}: ${error.message}`);
    process.exit(1);
  }
}
