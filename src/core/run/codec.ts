import * as v from 'valibot';
import type { InputError, Parsed } from './config.ts';
import type { RunRecord } from './record.ts';
import { recordSchema } from './schema.ts';

/** Characters of a saved run at the most, and bytes: runs of ours are hundreds of times smaller. */
export const largestFile = 64 * 2 ** 20;

/**
 * The record as JSON, everything in it and nothing rounded. Numbers that JSON does not have (NaN,
 * the infinities, -0) are written as `{"number": "NaN"}`, so that `parseRecord` returns them.
 */
export function recordToJson(record: RunRecord): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
      ? { number: Object.is(value, -0) ? '-0' : String(value) }
      : value,
  );
}

/**
 * Reads what `recordToJson` wrote. Whatever the text, this returns: the record, unknown fields
 * kept, or the first field that is wrong and what was expected of it.
 */
export function parseRecord(text: string): Parsed<RunRecord> {
  if (text.length > largestFile) {
    return refuse('file', `${text.length} characters`, 'a run of at most 64 MiB');
  }
  let data: unknown;
  try {
    data = JSON.parse(text, reviveNumber);
  } catch {
    return refuse('file', shorten(text), 'JSON as saved by this page');
  }
  if (v.is(recordSchema, data)) return { kind: 'ok', value: data };
  // One error is enough to act on, and a file of a million errors must not fill the memory.
  const { issues } = v.safeParse(recordSchema, data, { abortEarly: true });
  return { kind: 'invalid', errors: (issues ?? []).map(inputError) };
}

function refuse(field: string, value: string, expected: string): Parsed<RunRecord> {
  return { kind: 'invalid', errors: [{ field, value, expected }] };
}

const specialNumbers: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity,
  '-Infinity': -Infinity,
  '-0': -0,
};

function reviveNumber(_key: string, value: unknown): unknown {
  if (!isSpecialNumber(value)) return value;
  return specialNumbers[value.number];
}

function isSpecialNumber(value: unknown): value is { number: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 1 &&
    'number' in value &&
    typeof value.number === 'string' &&
    Object.hasOwn(specialNumbers, value.number)
  );
}

function inputError(issue: v.BaseIssue<unknown>): InputError {
  const path = issue.path ?? [];
  return {
    field: path.length === 0 ? 'file' : path.map(pathStep).join('').slice(1),
    value: shorten(valueText(issue.input)),
    expected: expectation(issue),
  };
}

function pathStep({ key }: { key?: unknown }): string {
  return typeof key === 'number' ? `[${key}]` : `.${String(key)}`;
}

function expectation(issue: v.BaseIssue<unknown>): string {
  const missing = issue.type === 'object' && issue.input === undefined;
  if (missing) return 'a value';
  // Messages of our own are written as expectations; the library's begin with "Invalid".
  return issue.message.startsWith('Invalid') ? (issue.expected ?? issue.message) : issue.message;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'object' : String(value);
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
