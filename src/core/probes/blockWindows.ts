/** When a thread started and ended its blocks of work, in seconds of a clock that threads share. */
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
 */
export function roundSeconds(threads: readonly BlockTimes[], sliceSeconds: number): number[] {
  const from = Math.max(...threads.map(({ start }) => start));
  const to = Math.min(...threads.map(({ start, ends }) => ends.at(-1) ?? start));
  const slices = Math.max(1, Math.floor((to - from) / sliceSeconds + 1e-6));
  const edges = Array.from({ length: slices }, (_, i) => from + ((to - from) * i) / slices);
  edges.push(to);
  const marks = threads.map(({ start, ends }) => lastMarks([start, ...ends], edges));
  return edges.slice(1).flatMap((_, slice) => {
    const rates = marks.map((mark) => rateBetween(mark[slice]!, mark[slice + 1]!));
    const total = rates.reduce((sum, rate) => sum + rate, 0);
    return rates.every((rate) => rate > 0 && Number.isFinite(rate)) ? [threads.length / total] : [];
  });
}

interface Mark {
  readonly blocks: number;
  readonly time: number;
}

/** For each edge, the last time at or before it at which a block had ended. */
function lastMarks(times: readonly number[], edges: readonly number[]): Mark[] {
  let blocks = 0;
  return edges.map((edge) => {
    while (blocks + 1 < times.length && times[blocks + 1]! <= edge) blocks++;
    return { blocks, time: times[blocks]! };
  });
}

/** Blocks a second; 0 where no block ended. */
function rateBetween(first: Mark, last: Mark): number {
  return last.blocks === first.blocks ? 0 : (last.blocks - first.blocks) / (last.time - first.time);
}
