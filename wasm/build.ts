import { main } from 'assemblyscript/asc';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each target of asconfig.json, and the source whose exports it has. */
const entries: Readonly<Record<string, string>> = {
  simd: 'assembly/index.ts',
  'simd-shared': 'assembly/index.ts',
  'relaxed-simd': 'assembly/relaxed.ts',
  'relaxed-simd-shared': 'assembly/relaxed.ts',
};

const folder = fileURLToPath(new URL('.', import.meta.url));

/** When the newest of all that a build depends on was changed: this folder's files, the compiler. */
function newestSource(): number {
  const assembly = join(folder, 'assembly');
  const files = [
    ...readdirSync(assembly, { recursive: true, encoding: 'utf8' }).map((file) =>
      join(assembly, file),
    ),
    ...['asconfig.json', 'build.ts', '../package-lock.json'].map((file) => join(folder, file)),
  ];
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}

/** Compiling takes seconds a target, so it is left out where nothing changed. */
function isCurrent(target: string, newest: number): boolean {
  const output = join(folder, 'build', `${target}.wasm`);
  return existsSync(output) && statSync(output).mtimeMs > newest;
}

const newest = newestSource();
for (const [target, entry] of Object.entries(entries)) {
  if (isCurrent(target, newest)) continue;
  const { error } = await main(
    [entry, '--target', target, '--baseDir', folder, '--config', 'asconfig.json'],
    { stdout: process.stdout, stderr: process.stderr },
  );
  if (error !== null) {
    console.error(`wasm target ${target}: ${error.message}`);
    process.exit(1);
  }
}
