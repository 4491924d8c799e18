import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { importRules } from './import-rules.ts';
import { forbiddenImports } from './imports.ts';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll(sep, '/')}`)
  .filter((name) => name.endsWith('.ts'));
const problems = files.flatMap((file) =>
  forbiddenImports(file, readFileSync(file, 'utf8'), importRules),
);
for (const problem of problems) console.error(problem);
console.log(`imports: ${files.length} files, ${problems.length} forbidden`);
process.exitCode = problems.length === 0 ? 0 : 1;
