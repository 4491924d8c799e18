import type { BlockTimes } from './blockWindows.ts';

/** A question to a thread, in seconds: asked and answered by the asker's clock, told by the thread's. */
export interface ClockPing {
  readonly asked: number;
  readonly told: number;
  readonly answered: number;
}

/** Between these lies what must be added to a thread's clock to get the asker's, in seconds. */
export interface ClockOffset {
  readonly low: number;
  readonly high: number;
}

/**
 * Bounds a thread's clock: it told its time after the question and before the answer. Every ping
 * bounds the same offset, so the bounds intersect (Marzullo 1984). Browsers round each clock to
 * steps, up or down, so that a difference of two may be two steps off.
 */
export function clockOffset(pings: readonly ClockPing[], stepSeconds: number): ClockOffset {
  return {
    low: Math.max(...pings.map(({ asked, told }) => asked - told)) - 2 * stepSeconds,
    high: Math.min(...pings.map(({ answered, told }) => answered - told)) + 2 * stepSeconds,
  };
}

/**
 * What threads that did not wait for each other did while all of them were surely at work: of each
 * thread the block ends that lie, wherever within their bounds the clocks are, after the last thread
 * began and before the first one stopped.
 */
export function overlapOf(
  threads: readonly BlockTimes[],
  offsets: readonly ClockOffset[],
): BlockTimes[] {
  const from = Math.max(...threads.map(({ start }, index) => start + offsets[index]!.high));
  const to = Math.min(
    ...threads.map(({ start, ends }, index) => (ends.at(-1) ?? start) + offsets[index]!.low),
  );
  return threads.map(({ start, ends }, index) => {
    const { low, high } = offsets[index]!;
    const [first, ...rest] = [start, ...ends].filter(
      (time) => time + low >= from && time + high <= to,
    );
    return first === undefined ? { start, ends: [] } : { start: first, ends: rest };
  });
}
