import * as v from 'valibot';
import { sweepParameters } from './config.ts';

/**
 * What a link holds, before compression: JSON of short lists, since every name would cost room. Rows
 * of numbers are one string, with spaces between. Only what cannot be derived is in it. Whatever
 * comes from outside passes this schema, which bounds every length.
 */

const short = v.pipe(v.string(), v.maxLength(80));
const long = v.pipe(v.string(), v.maxLength(400));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(2 ** 40));
const truth = v.picklist([0, 1]);
const deviceKind = v.picklist(['gpu', 'cpu']);
const timer = v.picklist(['timestamp', 'wall-fit', 'clock']);

function listOf<const S extends v.GenericSchema>(item: S, most: number) {
  return v.pipe(v.array(item), v.maxLength(most));
}

/**
 * `length` numbers of at least 0, and as many more at its end as some rows have, those marked `-`
 * absent; those of the given places (from, to before) are there and above 0.
 */
function row(length: number, [from, to]: readonly [number, number] = [0, 0], more = 0) {
  return v.pipe(
    v.string(),
    v.maxLength(16 * (length + more)),
    v.transform((text) => text.split(' ').map(cell)),
    v.check(
      (cells) =>
        cells.length >= length &&
        cells.length <= length + more &&
        cells.every(isCell) &&
        cells.slice(from, to).every((value) => value !== undefined && value > 0),
      `${length} numbers`,
    ),
  );
}

function cell(text: string): number | undefined {
  if (text === '-') return undefined;
  return /^\d+(e-?\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function isCell(value: number | undefined): boolean {
  return value === undefined || (Number.isFinite(value) && value >= 0);
}

const gpu = v.tuple([
  v.literal('gpu'),
  short, // deviceId
  short, // vendor
  short, // architecture
  short, // description
  truth, // software
  long, // what tells so; may be empty
  v.picklist(['timestamp', 'wall-fit']),
  row(1), // grid of the timestamps in seconds
  listOf(short, 64), // features
]);

const cpu = v.tuple([
  v.literal('cpu'),
  short, // deviceId
  count, // logical cores
  count, // threads
  truth, // isolated
  truth, // shared memory
  v.picklist(['simd', 'relaxed-simd']),
  row(1), // step of the clock in seconds
]);

const ceiling = v.tuple([
  short, // id
  short, // label
  short, // precision of arithmetic, name of a memory level, or empty
  // samples, value, interval's ends, capacity, a workgroup's capacity; the capacity's interval
  row(6, [0, 4], 2),
  long, // variant
  timer,
  listOf(short, 8), // flags
]);

const roofline = v.tuple([
  deviceKind,
  short, // deviceId
  count, // threads; 0 on a GPU
  listOf(ceiling, 16), // arithmetic
  listOf(ceiling, 16), // bandwidth
]);

const point = v.union([
  v.tuple([
    // value, batch, samples, flops, executed flops, algorithmic bytes, seconds, its interval's ends,
    // cold seconds, issued bytes, fraction of the roof, memory's share of the least time; where they are
    // known the fraction of the innermost bandwidth and of the roof of as many threads
    row(13, [0, 9], 2),
    listOf(short, 8), // flags
  ]),
  v.tuple([count, v.picklist(['failed', 'skipped']), long]), // value, status, reason
]);

const trajectory = v.tuple([
  deviceKind,
  short, // deviceId
  short, // model
  v.picklist(sweepParameters),
  row(5), // fixed batch, workgroups, workgroup size, threads, replicas
  v.picklist(['', 'strong', 'weak']),
  listOf(point, 64),
]);

export const wireSchema = v.tuple([
  v.literal(1), // version of this format
  v.picklist(['full', 'card']),
  v.tuple([short, short]), // version and commit of the app
  v.pipe(v.string(), v.isoTimestamp()),
  short, // label, or empty
  long, // configuration, as a query
  v.tuple([long, short, count, truth, truth]), // user agent, platform, cores, secure, isolated
  listOf(v.union([gpu, cpu]), 8),
  listOf(roofline, 32),
  listOf(trajectory, 32),
]);

/** As it is written, and as it is read: rows of numbers are text there and lists here. */
export type WrittenWire = v.InferInput<typeof wireSchema>;
export type ReadWire = v.InferOutput<typeof wireSchema>;

/** A row of measured numbers at so many significant digits, in as few characters as they need. */
export function measuredRow(digits: number, ...numbers: readonly (number | undefined)[]): string {
  return numbers.map((value) => measuredCell(value, digits)).join(' ');
}

function measuredCell(value: number | undefined, digits: number): string {
  if (value === undefined || !Number.isFinite(value)) return '-';
  const rounded = Number(value.toPrecision(digits));
  if (Number.isInteger(rounded) && rounded < 1e4) return String(rounded);
  const [mantissa = '', power = ''] = rounded.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const exponent = Number(power) - fraction.length;
  return exponent === 0 ? whole + fraction : `${whole}${fraction}e${exponent}`;
}

/** A row of counts, exactly. */
export function countRow(...counts: readonly (number | undefined)[]): string {
  return counts.map((value) => (value === undefined ? '-' : String(value))).join(' ');
}
