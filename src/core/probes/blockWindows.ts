/**
 * When a thread started and ended its blocks of work, in seconds of its own clock. `start` is when
 * it saw all threads of the team at work, the last end when it saw that all had worked enough.
 */
export interface BlockTimes {
  readonly start: number;
  /** Rising. */
  readonly ends: readonly number[];
}

/**
 * Seconds in which all threads together do as many blocks as there are threads, once for each
 * slice of the window in which all of them were at work: one value a repeat.
 *
 * Cores differ in speed, so a thread is not waited for: its rate within a slice is its blocks over
 * the time from the first to the last of the block ends that enclose them, and rates are added.
 * No block is left out or counted twice. With one thread a value is the mean time of a block.
 * A slice in which a thread ended no block gives no value; its blocks count in the next.
 *
 * Threads' clocks are not compared, since a worker's time origin may be off by many milliseconds:
 * each thread's window, which they began and ended together, is cut into equally many slices.
 */
export function roundSeconds(threads: readonly BlockTimes[], sliceSeconds: number): number[] {
  const shortest = Math.min(...threads.map(windowSeconds));
  const slices = Math.max(1, Math.floor(shortest / sliceSeconds + 1e-6));
  const marks = threads.map((times) => lastMarks(times, slices));
  return Array.from({ length: slices }).flatMap((_, slice) => {
    const rates = marks.map((mark) => rateBetween(mark[slice]!, mark[slice + 1]!));
    const total = rates.reduce((sum, rate) => sum + rate, 0);
    return rates.every((rate) => rate > 0 && Number.isFinite(rate)) ? [threads.length / total] : [];
  });
}

function windowSeconds({ start, ends }: BlockTimes): number {
  return (ends.at(-1) ?? start) - start;
}

interface Mark {
  readonly blocks: number;
  readonly time: number;
}

/** At each edge of the slices, the blocks ended so far and the time at which the last one did. */
function lastMarks(times: BlockTimes, slices: number): Mark[] {
  const marks = [times.start, ...times.ends];
  const last = marks.length - 1;
  return Array.from({ length: slices + 1 }, (_, edge) => {
    const time = times.start + (windowSeconds(times) * edge) / slices;
    // The last edge is the last block's end, whatever rounding makes of it.
    const blocks = edge === slices ? last : marks.findLastIndex((mark) => mark <= time);
    return { blocks, time: marks[blocks]! };
  });
}

/** Blocks a second; 0 where no block ended. */
function rateBetween(first: Mark, last: Mark): number {
  return last.blocks === first.blocks ? 0 : (last.blocks - first.blocks) / (last.time - first.time);
}
