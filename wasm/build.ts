import asc from 'assemblyscript/asc';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each target of asconfig.json, and the source whose exports it has. */
const entries: Readonly<Record<string, string>> = {
  simd: 'assembly/index.ts',
  'simd-shared': 'assembly/index.ts',
  'relaxed-simd': 'assembly/relaxed.ts',
  'relaxed-simd-shared': 'assembly/relaxed.ts',
};

const folder = dirname(fileURLToPath(import.meta.url));

for (const [target, entry] of Object.entries(entries)) {
  const { error, stdout, stderr } = await asc.main([
    entry,
    '--target',
    target,
    '--baseDir',
    folder,
    '--config',
    'asconfig.json',
  ]);
  process.stdout.write(stdout.toString());
  process.stderr.write(stderr.toString());
  if (error !== null) {
    console.error(`wasm target ${target}: ${error.message}`);
    process.exit(1);
  }
}
