import { expect, test } from 'vitest';
import {
  judgeTimestamps,
  spanSeconds,
  timestampGrid,
} from '../../../src/core/probes/timestamps.ts';

/** Passes of 5 to 15 ms with gaps of 3 ns, as a perfect clock sees them. */
function stamps(passes: number): number[] {
  let now = 77;
  return Array.from({ length: passes }, (_, index) => {
    const begin = now;
    const end = begin + Math.round(5e6 + 1e7 * ((index * 0.618034) % 1));
    now = end + 3;
    return [begin, end];
  }).flat();
}

function batch(passes: number, read: (nanoseconds: number) => number = (value) => value) {
  // The wait costs 3 ms however long the batch is.
  const perfect = stamps(passes);
  return { timestamps: perfect.map(read), wallSeconds: spanSeconds(perfect) + 0.003 };
}

const late = (value: ReturnType<typeof batch>, seconds: number) => ({
  ...value,
  wallSeconds: value.wallSeconds + seconds,
});

const batches = (read?: (nanoseconds: number) => number) => [batch(10, read), batch(40, read)];

test('a perfect clock is sound, whatever its origin', () => {
  expect(judgeTimestamps(batches())).toEqual({ kind: 'sound', gridSeconds: 1e-9 });
  const [short, long] = [batch(10), batch(40, (value) => value + 5_000_000_000)];
  expect(judgeTimestamps([short, long])).toMatchObject({ kind: 'sound' });
});

test.for([1, 52, 65_536, 100_000])('a grid of %i ns is found', (step) => {
  const verdict = judgeTimestamps(batches((value) => value - (value % step)));
  expect(verdict).toMatchObject({ kind: 'sound' });
  expect(timestampGrid(stamps(40).map((value) => value - (value % step)))).toBe(step);
});

test('a grid too coarse for safe dispatches is refused', () => {
  const verdict = judgeTimestamps(batches((value) => value - (value % 1_000_000)));
  expect(verdict).toEqual({
    kind: 'unsound',
    reason: 'timestamps advance in steps of 1000 us',
    isOpen: false,
  });
});

test.for<[string, (value: number) => number, RegExp]>([
  ['zero', () => 0, /do not advance/],
  ['stuck', () => 123_456, /do not advance/],
  ['negative', (value) => -value, /backwards/],
  ['12 % fast', (value) => value * 1.12, /1.12 s/],
  ['12 % slow', (value) => value * 0.88, /0.88 s/],
])('timestamps that are %s are refused', ([, read, reason]) => {
  const verdict = judgeTimestamps(batches(read));
  expect(verdict.kind).toBe('unsound');
  if (verdict.kind === 'unsound') expect(verdict.reason).toMatch(reason);
});

const disturbed = (read?: (nanoseconds: number) => number) => [
  late(batch(10, read), 0.5),
  batch(40, read),
  batch(10, read),
  late(batch(40, read), 0.2),
];

test('waits that end late beside prompt ones refuse neither a sound clock nor hide a wrong one', () => {
  expect(judgeTimestamps(disturbed())).toMatchObject({ kind: 'sound' });
  expect(judgeTimestamps(disturbed((value) => value * 1.5))).toMatchObject({ kind: 'unsound' });
  expect(judgeTimestamps(disturbed((value) => value * 0.5))).toMatchObject({ kind: 'unsound' });
});

test('one timestamp out of order is enough to refuse them', () => {
  const spoilt = batch(40);
  const timestamps = spoilt.timestamps.with(41, spoilt.timestamps[40]! - 1);
  expect(judgeTimestamps([batch(10), { ...spoilt, timestamps }])).toMatchObject({
    reason: 'timestamps run backwards',
  });
});
