import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { samplesCsv } from '../../../src/core/run/csv.ts';
import { computeSample, sampleOf } from '../roofline/samples.ts';
import { anyRecord, recordOf } from './records.ts';

/** RFC 4180, read the strict way: CRLF between records, quotes doubled inside quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const plain = /[^",\r\n]*/y;
    const cell = text[at] === '"' ? quoted : plain;
    cell.lastIndex = at;
    const match = cell.exec(text);
    if (!match) throw new Error(`no cell at ${at}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[0]);
    at = cell.lastIndex;
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`no separator at ${at}`);
  }
  return rows;
}

function rowsOf(samples: readonly Sample[]): Record<string, string>[] {
  const record = recordOf({ events: samples.map((sample) => ({ kind: 'sample', sample })) });
  const [header = [], ...rows] = parseCsv(samplesCsv(record));
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]!])));
}

test('every row says when, by which version and in which browser it was measured', () => {
  const { startedAt, app } = recordOf();
  const [row] = rowsOf([computeSample(60e9)]);
  expect(row).toMatchObject({ startedAt, appVersion: app.version, browser: 'test' });
});

describe('CSV of the samples', () => {
  test('one row a sample, with its figures', () => {
    const [first, second] = rowsOf([
      computeSample(60e9, { variant: 'affine, 8 chains', seconds: [1, 0.5, 2], threads: 2 }),
      sampleOf(
        { kind: 'bandwidth', pattern: 'copy', bytes: 1e8, workingSetSize: 4096 },
        { flags: ['buffer limit', 'noisy'] },
      ),
    ]);
    expect(first).toMatchObject({
      device: 'gpu',
      variant: 'affine, 8 chains',
      kind: 'compute',
      precision: 'f32',
      pattern: '',
      work: '60000000000',
      workUnit: 'flop',
      workingSetSize: '',
      threads: '2',
      status: 'ok',
      repeats: '3',
      medianSeconds: '1',
      ciLowSeconds: '0.5',
      ciHighSeconds: '2',
      seconds: '1 0.5 2',
    });
    expect(second).toMatchObject({
      pattern: 'copy',
      precision: '',
      workUnit: 'byte',
      workingSetSize: '4096',
      flags: 'buffer limit; noisy',
      threads: '',
    });
  });

  test('a refused sample has its reason and raw times, and no median that reads like a result', () => {
    const [row] = rowsOf([
      computeSample(1e15, { status: 'failed', reason: 'not "linear",\nsee log' }),
    ]);
    expect(row).toMatchObject({
      status: 'failed',
      reason: 'not "linear",\nsee log',
      medianSeconds: '',
      seconds: '1 1 1 1 1 1',
    });
  });

  test('reads back cell by cell, whatever the texts', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const samples = record.events.flatMap((event) =>
          event.kind === 'sample' ? [event.sample] : [],
        );
        const [header = [], ...rows] = parseCsv(samplesCsv(record));
        expect(rows).toHaveLength(samples.length);
        for (const [index, row] of rows.entries()) {
          expect(row).toHaveLength(header.length);
          const sample = samples[index]!;
          expect(row[header.indexOf('variant')]).toBe(sample.variant);
          expect(row[header.indexOf('reason')]).toBe(sample.reason ?? '');
          const times = row[header.indexOf('seconds')]!.split(' ').filter(Boolean).map(Number);
          expect(times).toEqual(sample.seconds.map((time) => time + 0));
        }
      }),
    );
  });

  test('without samples there is still the header', () => {
    expect(samplesCsv(recordOf({ events: [] }))).toMatch(/^device,deviceId,probe,.*,browser\r\n$/);
  });
});
