import type { Runs } from '../../core/probes/chainCheck.ts';
import { nonlinearity } from '../../core/probes/linearity.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuTimer } from '../timer.ts';

/** A probe's work, in whole units of which a pass may do any number. */
export interface Workload {
  record(amount: number): TimedPass['record'];
  /** Forgets all results so far. */
  clear(): void;
  /** Whether the results are those of these runs and no others. */
  check(done: readonly Runs[]): Promise<Verdict>;
  /**
   * Twice the work takes twice the time within this factor, where the default of 5 % asks too much:
   * a pass over memory depends on what the one before left in the caches.
   */
  readonly linearWithin?: number | undefined;
}

export type Verdict =
  | { readonly kind: 'right'; readonly flags: readonly string[] }
  | { readonly kind: 'wrong'; readonly reason: string };

/** How much work a pass should do, and how long that takes. */
export interface Size {
  readonly amount: number;
  readonly seconds: number;
}

export interface Trial {
  /** Seconds of one run of `amount` units, in order; half those of a run of twice as many. */
  readonly seconds: readonly number[];
  readonly amount: number;
  readonly timer: 'timestamp' | 'wall-fit';
  readonly flags: readonly string[];
  /** Why the times are no evidence; undefined where they are. */
  readonly refusal?: Refusal;
}

/** `results`: the work was not done. `time`: it was, but its times do not follow from it. */
export interface Refusal {
  readonly of: 'results' | 'time';
  readonly reason: string;
}

/** A device that seems to do this much in no time does not do it; the check of results will say so. */
const mostAmount = 2 ** 28;
/** Work grows at most this much from one try to the next. */
const growth = 8;
/** Dispatches longer than this may trip a watchdog. */
const mostDispatchSeconds = 0.05;
/** A disturbed machine looks linear in the end, by its fastest runs; folded work never does. */
const mostTries = 3;

/**
 * The work that takes about `seconds`, at least one unit. Starts at `first` units, which must be
 * short on any device, and grows from there.
 */
export async function sizeWorkload(
  timer: GpuTimer,
  workload: Workload,
  seconds: number,
  first = 1,
): Promise<Size> {
  let expected = 0;
  for (let amount = first; ;) {
    const taken = await timer.roughSeconds(workload.record(amount), expected);
    const wanted = Math.round((amount * seconds) / taken);
    const safe = Math.floor((amount * mostDispatchSeconds) / 2 / taken);
    const scaled = Math.max(1, Math.min(wanted, safe, mostAmount));
    if (taken >= seconds / 4 || amount === mostAmount)
      return { amount: scaled, seconds: (taken * scaled) / amount };
    const next = Math.min(growth * amount, scaled);
    expected = (taken * next) / amount;
    amount = next;
  }
}

/**
 * Times n, 2n, n, 2n ... units, `pairs` times, then checks the results of all of them and that
 * twice the work took twice the time; where it did not, it tries again and judges all times so far.
 * A trial that is refused has its times all the same, except where a run would take too long to be
 * safe: that is not tried.
 */
export async function timeWorkload(
  timer: GpuTimer,
  workload: Workload,
  { amount, seconds }: Size,
  pairs: number,
): Promise<Trial> {
  const danger = dangerOf(2 * seconds);
  if (danger !== undefined) {
    const refusal = { of: 'time', reason: danger } as const;
    return { seconds: [], amount, timer: timer.source, flags: [], refusal };
  }
  const single = { record: workload.record(amount), expectedSeconds: seconds };
  const double = { record: workload.record(2 * amount), expectedSeconds: 2 * seconds };
  const passes = Array.from({ length: pairs }, () => [single, double]).flat();
  const times: number[] = [];
  for (let tries = 1; ; tries++) {
    workload.clear();
    const measured = await timer.measure(passes);
    times.push(...measured.seconds);
    const trial = {
      seconds: times.map((time, index) => (isDouble(index) ? time / 2 : time)),
      amount,
      timer: measured.timer,
    };
    const verdict = await workload.check(
      measured.runs.map((runs, index) => ({ amount: isDouble(index) ? 2 * amount : amount, runs })),
    );
    if (verdict.kind === 'wrong')
      return { ...trial, flags: [], refusal: { of: 'results', reason: verdict.reason } };
    const reason =
      measured.problem ?? unproportional(times, timer.passSeconds(0), workload.linearWithin);
    const { flags } = verdict;
    if (reason === undefined) return { ...trial, flags };
    // Sized by too short a reading: what is known now is not run again.
    const longer = dangerOf(Math.min(...times.filter((_, index) => isDouble(index))));
    if (longer !== undefined || tries === mostTries)
      return { ...trial, flags, refusal: { of: 'time', reason: longer ?? reason } };
  }
}

/** Why a dispatch that takes so long is not run, if so. */
function dangerOf(seconds: number): string | undefined {
  if (seconds <= mostDispatchSeconds) return undefined;
  return `a dispatch of ${(1000 * seconds).toFixed(0)} ms may trip a watchdog`;
}

function isDouble(index: number): boolean {
  return index % 2 === 1;
}

/** Why times of n, 2n, n, 2n ... units are not those of work done, if so. */
function unproportional(
  times: readonly number[],
  least: number,
  within: number | undefined,
): string | undefined {
  if (Math.min(...times) < least) return 'too short to time, however much work';
  return nonlinearity(
    times.filter((_, index) => !isDouble(index)),
    times.filter((_, index) => isDouble(index)),
    within,
  );
}
