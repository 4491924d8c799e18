import { dirname, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { ImportRule } from './import-rules.ts';

/** One import in a source file; `target` is a path from the root or a package name. */
export interface FoundImport {
  readonly line: number;
  readonly target: string;
}

function resolveTarget(file: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(dirname(file), specifier) : specifier;
}

/**
 * Every module that a TypeScript source names: static imports and re-exports (type-only ones too),
 * `import()` of a literal, and `new URL('...', import.meta.url)`.
 */
export function importsOf(file: string, source: string): readonly FoundImport[] {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;
  const found = [
    ...module.staticImports.map((entry) => ({
      specifier: entry.moduleRequest.value,
      start: entry.start,
    })),
    ...module.staticExports.flatMap((statement) =>
      statement.entries.flatMap((entry) =>
        entry.moduleRequest === null
          ? []
          : [{ specifier: entry.moduleRequest.value, start: statement.start }],
      ),
    ),
    ...module.dynamicImports.map((entry) => ({
      specifier: source.slice(entry.moduleRequest.start, entry.moduleRequest.end).slice(1, -1),
      start: entry.start,
    })),
    ...[...source.matchAll(/new URL\(\s*['"]([^'"]+)['"],\s*import\.meta\.url/g)].map((match) => ({
      specifier: match[1] ?? '',
      start: match.index,
    })),
  ];
  return found.map(({ specifier, start }) => ({
    line: lineAt(start),
    target: resolveTarget(file, specifier),
  }));
}

/** The imports of one file that its rule forbids, each as one line that gives the reason. */
export function forbiddenImports(
  file: string,
  source: string,
  rules: readonly ImportRule[],
): readonly string[] {
  const rule = rules.find(({ from }) => from.test(file));
  if (rule === undefined)
    return [`${file}: no import rule covers this file (tests/support/import-rules.ts)`];
  return importsOf(file, source)
    .filter(({ target }) => !rule.allow.some((allowed) => allowed.test(target)))
    .map(({ line, target }) => `${file}:${line}: may not import ${target}: ${rule.reason}`);
}
