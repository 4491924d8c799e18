import { groupBy } from '../groupBy.ts';
import { linearFit } from '../stats/fit.ts';

/** One batch of passes as both clocks saw it. */
export interface TimedBatch {
  /** Begin and end of each pass in the order of recording, in nanoseconds of any origin. */
  readonly timestamps: readonly number[];
  /** From before the first submit until the work was known to be done. */
  readonly wallSeconds: number;
}

export type TimestampVerdict =
  | { readonly kind: 'sound'; readonly gridSeconds: number }
  | {
      readonly kind: 'unsound';
      readonly reason: string;
      /** Whether further batches may show otherwise: only the wall clock speaks against them. */
      readonly isOpen: boolean;
    };

/** A span this many grid steps long is known to 1 %: both its ends are off by up to a step. */
export const leastGridSteps = 200;
/** A coarser grid would need dispatches longer than is safe. */
const coarsestGridSeconds = 125e-6;
const tolerance = 0.1;

/**
 * Whether a device's timestamps can be trusted: they advance, never run backwards, lie on a grid
 * fine enough, and grow with the length of the batch as the wall clock does, within 10 %. Batches
 * must differ in length; a constant offset (submit, wait) between the two clocks is allowed. Of
 * batches of as many passes the one counts whose wait was the least beyond its span: the others were
 * noticed late because of other work on the machine.
 */
export function judgeTimestamps(batches: readonly TimedBatch[]): TimestampVerdict {
  const all = batches.flatMap(({ timestamps }) => timestamps);
  if (all.every((value) => value === all[0])) return unsound('timestamps do not advance');
  if (batches.some(({ timestamps }) => runsBackwards(timestamps)))
    return unsound('timestamps run backwards');
  const gridSeconds = timestampGrid(all) * 1e-9;
  if (gridSeconds > coarsestGridSeconds)
    return unsound(`timestamps advance in steps of ${(gridSeconds * 1e6).toFixed(0)} us`);
  const prompt = groupBy(batches, ({ timestamps }) => timestamps.length).map(promptest);
  const { slope } = linearFit(
    prompt.map(({ wallSeconds }) => wallSeconds),
    prompt.map(({ timestamps }) => spanSeconds(timestamps)),
  );
  if (Math.abs(slope - 1) > tolerance)
    return unsound(`timestamps count ${slope.toFixed(2)} s in a second of wall time`, true);
  return { kind: 'sound', gridSeconds };
}

/**
 * The grid on which timestamps lie, in nanoseconds: the greatest common divisor of their
 * differences. Whole nanoseconds in; a grid of a fraction (a 24 MHz counter, say) reads as 1.
 */
export function timestampGrid(nanoseconds: readonly number[]): number {
  const origin = nanoseconds[0] ?? 0;
  return nanoseconds.reduce((grid, value) => divisor(grid, Math.abs(value - origin)), 0);
}

/** First to last timestamp of a batch. */
export function spanSeconds(timestamps: readonly number[]): number {
  return ((timestamps.at(-1) ?? 0) - (timestamps[0] ?? 0)) * 1e-9;
}

function promptest(batches: readonly TimedBatch[]): TimedBatch {
  const delay = ({ timestamps, wallSeconds }: TimedBatch) => wallSeconds - spanSeconds(timestamps);
  return batches.reduce((best, batch) => (delay(batch) < delay(best) ? batch : best));
}

function unsound(reason: string, isOpen = false): TimestampVerdict {
  return { kind: 'unsound', reason, isOpen };
}

function runsBackwards(timestamps: readonly number[]): boolean {
  return timestamps.some((value, index) => value < (timestamps[index - 1] ?? value));
}

/** Greatest common divisor. */
function divisor(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}
