import type { ReferenceIndex, ReferenceRun } from '../core/compare/referenceIndex.ts';
import type { Parsed } from '../core/run/config.ts';
import type { RunRecord } from '../core/run/record.ts';

// Reference runs lie beside the page and are loaded when a view asks for them.

const folder = './reference/';

/** The list of reference runs and the spread between repeated ones. */
export async function loadReferenceIndex(): Promise<Parsed<ReferenceIndex>> {
  const { parseReferenceIndex } = await import('../core/compare/referenceIndex.ts');
  const text = await loadText('index.json');
  if (text === undefined) return notLoaded('index.json');
  try {
    return parseReferenceIndex(JSON.parse(text));
  } catch {
    return notLoaded('index.json');
  }
}

/** A reference run's record. */
export async function loadReferenceRun({ file }: ReferenceRun): Promise<Parsed<RunRecord>> {
  const [{ parseRecord }, text] = await Promise.all([
    import('../core/run/codec.ts'),
    loadText(file),
  ]);
  return text === undefined ? notLoaded(file) : parseRecord(text);
}

async function loadText(file: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${folder}${file}`);
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

function notLoaded(file: string): Parsed<never> {
  const expected = 'the file, as it comes with the app; check the connection';
  return { kind: 'invalid', errors: [{ field: `reference/${file}`, value: 'nothing', expected }] };
}
