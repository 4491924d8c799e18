import type { InputError, Parsed } from '../core/run/config.ts';
import type { RunRecord } from '../core/run/record.ts';
import { download } from './download.ts';

// The codec brings the schema library: it is loaded when a file is first saved or opened.

export type SaveFormat = 'json' | 'csv';

/** Hands the record to the browser as a download. */
export async function saveRecord(record: RunRecord, format: SaveFormat): Promise<void> {
  download(await recordBlob(record, format), fileName(record, format));
}

async function recordBlob(record: RunRecord, format: SaveFormat): Promise<Blob> {
  switch (format) {
    case 'json': {
      const { recordToJson } = await import('../core/run/codec.ts');
      return new Blob([recordToJson(record)], { type: 'application/json' });
    }
    case 'csv': {
      const { samplesCsv } = await import('../core/run/csv.ts');
      return new Blob([samplesCsv(record)], { type: 'text/csv' });
    }
  }
}

/** `rooftrace-2026-01-31T12-00-00.json`: sorts by time, and every file system takes it. */
export function fileName({ startedAt }: Pick<RunRecord, 'startedAt'>, format: string): string {
  const time = startedAt.slice(0, 19).replaceAll(':', '-');
  return `rooftrace-${time}.${format}`;
}

/** Reads a saved run; errors name the field that was refused. What is too large is not read at all. */
export async function readRecord(file: Blob): Promise<Parsed<RunRecord>> {
  const { largestFile, parseRecord } = await import('../core/run/codec.ts');
  if (file.size > largestFile) return refusedFile(`${file.size} bytes`, 'a run of at most 64 MiB');
  try {
    return parseRecord(await file.text());
  } catch (error) {
    // A folder, or a file that was moved or locked since it was chosen.
    return refusedFile(String(error), 'a file that can be read');
  }
}

function refusedFile(value: string, expected: string): Parsed<never> {
  return { kind: 'invalid', errors: [{ field: 'file', value, expected }] };
}

/** One line a refused value: what was there and what belongs there. */
export function inputErrorText({ field, value, expected }: InputError): string {
  const shown = value.length > 60 ? `${value.slice(0, 60)}...` : value;
  return `${field}: '${shown}' is not valid; expected ${expected}.`;
}
