import { storeLanes } from './lanes';
import { multiplyAdd } from './multiplyAdd';

/** Output channels of a register block: two vectors. */
const BLOCK_CHANNELS = 8;
const PANEL_ROW: usize = 32;
const BLOCK_PIXELS = 6;
const FLOAT: usize = 4;
/** A source and a target pointer. */
const ENTRY: usize = 8;
/** Products are added up in chunks of so many at the most, then the chunks: long sums round more. */
const CHUNK = 96;

/**
 * Writes the source and target addresses of a tile's pixels in reading order to `table`, the last
 * pixel five more times, so that every register block of `correlate` has six to read. Pitches are in bytes.
 */
export function pixelTable(
  table: usize,
  source: usize,
  sourceRow: usize,
  sourcePixel: usize,
  target: usize,
  targetRow: usize,
  targetPixel: usize,
  rows: i32,
  columns: i32,
): void {
  for (let row = 0; row < rows; row++) {
    let s = source;
    let t = target;
    for (let x = 0; x < columns; x++) {
      store<u32>(table, s);
      store<u32>(table, t, 4);
      table += ENTRY;
      s += sourcePixel;
      t += targetPixel;
    }
    source += sourceRow;
    target += targetRow;
  }
  const last = load<u64>(table - ENTRY);
  for (let at = 1; at < BLOCK_PIXELS; at++) {
    store<u64>(table, last);
    table += ENTRY;
  }
}

/**
 * target[pixel][o] = addend[pixel][o] + sum over r < runs and i < runLength of
 * source[pixel][r * runPitch + i] * weights[r * runLength + i][o]
 *
 * for the `pixels` of a table; a pixel's channels are contiguous. `weights` are packed in panels of 8
 * output channels, [runs * runLength][8] each. `toAddend` is the distance in bytes from target to
 * addend, 0 where there is none; an empty run gives the addend or 0. A register block is 6 pixels by
 * 8 channels. All pixels pass `cachedRows` rows of a panel, or a little fewer, before the next ones:
 * as many as stay in a cache. The sums are the same bits for any number of them.
 */
export function correlate(
  table: usize,
  pixels: i32,
  runs: i32,
  runLength: i32,
  runPitch: usize,
  weights: usize,
  channels: i32,
  toAddend: usize,
  cachedRows: i32,
): void {
  const panelSize = <usize>(runs * runLength) * PANEL_ROW;
  // Whole runs where they fit, else a part of one, whole chunks of it.
  const fitting = max(1, min(runs, runLength == 0 ? runs : cachedRows / runLength));
  const part = max(1, cachedRows / CHUNK) * CHUNK;
  for (let channel = 0; channel < channels; channel += BLOCK_CHANNELS) {
    const count = min(BLOCK_CHANNELS, channels - channel);
    for (let run = 0; run < runs; run += fitting) {
      const lastRun = min(runs, run + fitting);
      let start = 0;
      do {
        const end = runLength > cachedRows ? min(runLength, start + part) : runLength;
        const isFirst = run == 0 && start == 0;
        for (let pixel = 0; pixel < pixels; pixel += BLOCK_PIXELS)
          correlateBlock(
            table + <usize>pixel * ENTRY,
            pixels - pixel,
            run,
            lastRun,
            start,
            end,
            runLength,
            runPitch,
            weights,
            channel,
            count,
            isFirst ? toAddend : 0,
            !isFirst || toAddend != 0,
          );
        start = end;
      } while (start < runLength);
    }
    weights += panelSize;
  }
}

/**
 * A register block of `correlate`: elements from `first` to `end` of the runs from `run` to `lastRun`.
 */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function correlateBlock(
  entry: usize,
  left: i32,
  run: i32,
  lastRun: i32,
  first: i32,
  end: i32,
  runLength: i32,
  runPitch: usize,
  weights: usize,
  channel: i32,
  count: i32,
  before: usize,
  adds: bool,
): void {
  const nextRun = runPitch - <usize>(end - first) * FLOAT;
  const begin = <usize>run * runPitch + <usize>first * FLOAT;
  const nextRows = <usize>(runLength - (end - first)) * PANEL_ROW;
  let s0 = <usize>load<u32>(entry, 0) + begin;
  let s1 = <usize>load<u32>(entry, 8) + begin;
  let s2 = <usize>load<u32>(entry, 16) + begin;
  let s3 = <usize>load<u32>(entry, 24) + begin;
  let s4 = <usize>load<u32>(entry, 32) + begin;
  let s5 = <usize>load<u32>(entry, 40) + begin;
  let w = weights + <usize>(run * runLength + first) * PANEL_ROW;
  for (; run < lastRun; run++) {
    let start = first;
    do {
      const stop = min(end, start + CHUNK);
      let a0 = f32x4.splat(0);
      let a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0;
      let b0 = a0, b1 = a0, b2 = a0, b3 = a0, b4 = a0, b5 = a0;
      for (; start < stop; start++) {
        let u = v128.load(w, 0);
        let v = v128.load(w, 16);
        let z = v128.load32_splat(s0, 0);
        a0 = multiplyAdd(z, u, a0);
        b0 = multiplyAdd(z, v, b0);
        z = v128.load32_splat(s1, 0);
        a1 = multiplyAdd(z, u, a1);
        b1 = multiplyAdd(z, v, b1);
        z = v128.load32_splat(s2, 0);
        a2 = multiplyAdd(z, u, a2);
        b2 = multiplyAdd(z, v, b2);
        z = v128.load32_splat(s3, 0);
        a3 = multiplyAdd(z, u, a3);
        b3 = multiplyAdd(z, v, b3);
        z = v128.load32_splat(s4, 0);
        a4 = multiplyAdd(z, u, a4);
        b4 = multiplyAdd(z, v, b4);
        z = v128.load32_splat(s5, 0);
        a5 = multiplyAdd(z, u, a5);
        b5 = multiplyAdd(z, v, b5);
        s0 += 4;
        s1 += 4;
        s2 += 4;
        s3 += 4;
        s4 += 4;
        s5 += 4;
        w += PANEL_ROW;
      }
      storeBlock(entry + 0 * ENTRY, channel, before, adds, a0, b0, count);
      if (left > 1)
        storeBlock(entry + 1 * ENTRY, channel, before, adds, a1, b1, count);
      if (left > 2)
        storeBlock(entry + 2 * ENTRY, channel, before, adds, a2, b2, count);
      if (left > 3)
        storeBlock(entry + 3 * ENTRY, channel, before, adds, a3, b3, count);
      if (left > 4)
        storeBlock(entry + 4 * ENTRY, channel, before, adds, a4, b4, count);
      if (left > 5)
        storeBlock(entry + 5 * ENTRY, channel, before, adds, a5, b5, count);
      before = 0;
      adds = true;
    } while (start < end);
    s0 += nextRun;
    s1 += nextRun;
    s2 += nextRun;
    s3 += nextRun;
    s4 += nextRun;
    s5 += nextRun;
    w += nextRows;
  }
}

/** Adds what lies `before` bytes from the target, if `adds`, and stores a pixel's part. */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function storeBlock(
  entry: usize,
  channel: i32,
  before: usize,
  adds: bool,
  low: v128,
  high: v128,
  count: i32,
): void {
  const target = <usize>load<u32>(entry, 4) + <usize>channel * FLOAT;
  storeLanes(target, adds ? target + before : 0, low, high, count);
}
