import * as fc from 'fast-check';
import type { InferOutput } from 'valibot';
import { describe, expect, test } from 'vitest';
import { parseRecord, recordToJson } from '../../../src/core/run/codec.ts';
import type { InputError } from '../../../src/core/run/config.ts';
import type { RunRecord } from '../../../src/core/run/record.ts';
import type { recordSchema } from '../../../src/core/run/schema.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { computeSample, stepOf } from '../roofline/samples.ts';
import { anyRecord, recordOf } from './records.ts';

// Schema and type agree: each is assignable to the other, optional fields too, or this file does
// not compile.
type Complete<T> = T extends object ? { readonly [K in keyof T]-?: Complete<T[K]> } : T;
type Agree<A extends B, B extends C, C = A> = [A, B, C];
type Validated = InferOutput<typeof recordSchema>;
export type SchemaAgrees = Agree<Validated, RunRecord>;
export type OptionalFieldsAgree = Agree<Complete<Validated>, Complete<RunRecord>>;

function errorOf(text: string): InputError {
  const parsed = parseRecord(text);
  if (parsed.kind !== 'invalid') throw new Error('the record was taken');
  expect(parsed.errors).toHaveLength(1);
  return parsed.errors[0]!;
}

/** The record as JSON with one field replaced. */
function withField(key: string, value: unknown): string {
  return JSON.stringify({ ...recordOf(), [key]: value });
}

describe('round trip', () => {
  test('of any record is exact', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const parsed = parseRecord(recordToJson(record));
        expect(parsed).toStrictEqual({ kind: 'ok', value: record });
      }),
      { numRuns: 300 },
    );
  });

  test('keeps the numbers that JSON does not have', () => {
    const losses = [2.3, Number.NaN, Infinity, -Infinity, -0];
    const record = recordOf({ events: [{ kind: 'step', step: stepOf({ losses }) }] });
    expect(parseRecord(recordToJson(record))).toStrictEqual({ kind: 'ok', value: record });
  });

  test('keeps fields that this version does not know', () => {
    const text = withField('power', { source: 'battery' });
    const parsed = parseRecord(text);
    expect(parsed).toMatchObject({ kind: 'ok', value: { power: { source: 'battery' } } });
    if (parsed.kind === 'ok') expect(recordToJson(parsed.value)).toBe(text);
  });

  test('derives the same summary before and after', () => {
    const record = recordOf();
    const parsed = parseRecord(recordToJson(record));
    if (parsed.kind !== 'ok') throw new Error('refused');
    expect(summary(parsed.value)).toStrictEqual(summary(record));
  });
});

describe('refusals name the field', () => {
  test.each([
    ['', 'file'],
    ['{', 'file'],
    ['null', 'file'],
    ['[]', 'schema'],
    ['"rooftrace/1"', 'file'],
    ['{}', 'schema'],
  ])('%j', (text, field) => {
    expect(errorOf(text).field).toBe(field);
  });

  test('another version, with advice', () => {
    const error = errorOf(withField('schema', 'rooftrace/2'));
    expect(error).toMatchObject({ field: 'schema', value: 'rooftrace/2' });
    expect(error.expected).toMatch(/another version.*measure again/);
  });

  test.each([
    ['startedAt', 'yesterday', 'startedAt', /a time such as/],
    [
      'config',
      { profile: 'slow', device: 'gpu', models: ['resnet8'], sweeps: ['batch'] },
      'config.profile',
      /"quick"/,
    ],
    ['app', { version: '1' }, 'app.commit', /a value/],
    ['events', {}, 'events', /Array/],
    ['events', [{ kind: 'party' }], 'events[0].kind', /"environment"/],
    ['events', [{ kind: 'done', device: 'npu', cancelled: false }], 'events[0].device', /"gpu"/],
    ['events', [{ kind: 'done', device: 'gpu', cancelled: 1 }], 'events[0].cancelled', /boolean/],
  ])('%s %j', (key, value, field, expected) => {
    const error = errorOf(withField(key, value));
    expect(error.field).toBe(field);
    expect(error.expected).toMatch(expected);
  });

  test.each([
    [{ seconds: [] }, 'times and work above 0'],
    [{ seconds: [0] }, 'times and work above 0'],
    [{ seconds: [1, -1] }, 'times and work above 0'],
    [{ measured: { kind: 'compute', precision: 'f32', flops: 0 } }, 'times and work above 0'],
    [{ seconds: ['1'] }, 'a number'],
    [{ seconds: null }, 'Array'],
  ])('an ok sample with %j', (change, expected) => {
    const events = [{ kind: 'sample', sample: { ...computeSample(60e9), ...change } }];
    const error = errorOf(withField('events', events));
    expect(error.field).toMatch(/^events\[0\]\.sample/);
    expect(error.expected).toContain(expected);
  });

  test('numbers that overflow', () => {
    const text = recordToJson(recordOf()).replace(
      '"maxBufferSize":268435456',
      '"maxBufferSize":1e999',
    );
    expect(errorOf(text)).toMatchObject({
      field: 'events[0].environment.limits.maxBufferSize',
      expected: 'a finite number',
    });
  });

  test('a file past 64 MiB', () => {
    expect(errorOf(' '.repeat(64 * 2 ** 20 + 1)).expected).toContain('64 MiB');
  });

  test('long values are cut', () => {
    const error = errorOf(withField('schema', 'x'.repeat(1000)));
    expect(error.value.length).toBeLessThanOrEqual(60);
  });

  test('a million wrong events give one error', () => {
    const events = Array.from({ length: 1e6 }, () => 0);
    expect(errorOf(withField('events', events)).field).toBe('events[0]');
  });
});

describe('never throws', () => {
  test('on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseRecord(text).kind).toBe('invalid');
      }),
    );
  });

  test('on any JSON, nor on any JSON in place of any field', () => {
    const keys = [
      'schema',
      'app',
      'startedAt',
      'label',
      'config',
      'environment',
      'events',
    ] as const;
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...keys), (json, key) => {
        const value: unknown = JSON.parse(json);
        parseRecord(json);
        parseRecord(withField(key, value));
        const parsed = parseRecord(withField('events', [value]));
        expect(parsed.kind).toBe('invalid');
      }),
    );
  });

  test('on any single byte changed or lost; what is still taken can be summarised', () => {
    const text = recordToJson(recordOf());
    const place = fc.integer({ min: 0, max: text.length - 1 });
    fc.assert(
      fc.property(place, fc.constantFrom('', '0', '-', '"', '}', 'e', '9'), (at, letter) => {
        const parsed = parseRecord(text.slice(0, at) + letter + text.slice(at + 1));
        if (parsed.kind === 'ok') summary(parsed.value);
      }),
      { numRuns: 1000 },
    );
  });

  test('on deep nesting', () => {
    const depth = 1e6;
    expect(parseRecord('['.repeat(depth) + ']'.repeat(depth)).kind).toBe('invalid');
  });

  test('any record that is taken can be summarised', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(summary(record).schema).toBe('rooftrace-summary/1');
      }),
    );
  });
});
