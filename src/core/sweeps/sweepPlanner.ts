import type { StepTiming } from '../run/events.ts';
import { median } from '../stats/median.ts';
import {
  fewestWarmSteps,
  isNarrow,
  tooLong,
  visitBudget,
  type PointBudget,
  type VisitBudget,
} from './pointBudget.ts';
import { shuffled } from './shuffled.ts';
import { hardEnd, settingAt, type StepSetting, type Sweep } from './sweep.ts';

/** What was made of a visit, as its event tells it. */
export type VisitReport = Pick<StepTiming, 'value' | 'status' | 'seconds'>;

/** The next point of a sweep. */
export interface Visit {
  readonly value: number;
  readonly setting: StepSetting;
  /** Why it is not to be tried; absent where it is. To be reported like any other. */
  readonly skip?: string;
  /** What a step should take at the most, by the points before; absent for the first. */
  readonly expectedSeconds?: number;
  /** What the visit may cost: less than its part of the point's time where the sweep's is short. */
  readonly budget: VisitBudget;
  /** The point was measured before: all its visits together tell how well it is known. */
  readonly isRepeat: boolean;
}

export interface SweepLimits {
  readonly budget: PointBudget;
  readonly seed: number;
}

/** A cold step and the fewest warm ones. */
const stepsOfPoint = 1 + fewestWarmSteps;

/** Two doublings in a row that gain less than this share of images a second end a sweep. */
const leastGain = 0.05;
/** A value is measured so often before doublings are judged by it, and at the least where there is time. */
const fewestVisits = 2;

/**
 * Walks a sweep: the quick end first, the other values in a random order so that heat and clocks do
 * not pass for a trend; then all of them again, in another order, and doublings while they pay; then
 * round by round those whose steps do not agree yet, while there is time. So a machine that is slow
 * for a second or two is so at one visit of a point, not at all its steps, and visits that differ show
 * drift. Its state is the list of reports: given those of a sweep that a fault ended, a new planner of
 * the same sweep and seed goes on where it stopped.
 */
export class SweepPlanner {
  readonly #sweep: Sweep;
  readonly #limits: SweepLimits;
  readonly #order: readonly number[];
  readonly #reports: VisitReport[];

  constructor(sweep: Sweep, limits: SweepLimits, reports: readonly VisitReport[] = []) {
    this.#sweep = sweep;
    this.#limits = limits;
    this.#order = orderOf(sweep, limits.seed);
    this.#reports = [...reports];
  }

  get reports(): readonly VisitReport[] {
    return this.#reports;
  }

  /** Share of the visits that are behind, by the values that are known; 1 at the end. */
  get progress(): number {
    if (this.next() === undefined) return 1;
    const known = Math.max(fewestVisits * this.#order.length, this.#reports.length + 1);
    return this.#reports.length / known;
  }

  report({ value, status, seconds }: VisitReport): void {
    this.#reports.push({ value, status, seconds });
  }

  /**
   * The next visit, the same one until it is reported; undefined at the end. `remainingSeconds` is
   * what the whole sweep may still take: without time nothing is repeated and the rest is skipped.
   */
  next(remainingSeconds = Infinity): Visit | undefined {
    const value =
      this.#unvisited(remainingSeconds) ??
      this.#again(remainingSeconds, fewestVisits) ??
      (remainingSeconds > 0 ? this.#doubled() : undefined) ??
      this.#again(remainingSeconds, this.#limits.budget.visits);
    return value === undefined ? undefined : this.#visit(value, remainingSeconds);
  }

  #visit(value: number, remainingSeconds: number): Visit {
    const expectedSeconds = this.#expectedSeconds(value);
    const isRepeat = this.#isVisited(value);
    const skip = isRepeat ? undefined : this.#skip(value, expectedSeconds, remainingSeconds);
    return {
      value,
      setting: settingAt(this.#sweep, value),
      ...(skip !== undefined && { skip }),
      ...(expectedSeconds !== undefined && { expectedSeconds }),
      budget: this.#budget(value, remainingSeconds),
      isRepeat,
    };
  }

  /** Why a value is not to be tried; undefined where it is. */
  #skip(
    value: number,
    expectedSeconds: number | undefined,
    remainingSeconds: number,
  ): string | undefined {
    if (remainingSeconds <= 0) return 'the time for the sweep was spent';
    const tooHard = this.#tooHard(value);
    if (tooHard !== undefined || expectedSeconds === undefined) return tooHard;
    return (
      tooLong(expectedSeconds, this.#limits.budget) ??
      this.#tooLate(value, expectedSeconds, remainingSeconds)
    );
  }

  /** At most an even share of what remains, of the values to come and two more: a busy machine visits all. */
  #budget(value: number, remainingSeconds: number): VisitBudget {
    const budget = visitBudget(this.#limits.budget, this.#isVisited(value));
    const visits = this.#order.filter((each) => !this.#isVisited(each)).length + 2;
    const share = Math.max(0, remainingSeconds) / visits;
    return { ...budget, seconds: Math.min(budget.seconds, share) };
  }

  /**
   * Of the values that were visited less often than `visits` and may be again within what remains, the
   * one with the fewest visits; of several the first in the random order of their round. None where it
   * has no other to be told from.
   */
  #again(remainingSeconds: number, visits: number): number | undefined {
    if (this.#measured.length < 2) return undefined;
    const open = this.#measured.filter((value) => this.#isOpen(value, visits, remainingSeconds));
    const round = Math.min(...open.map((value) => this.#visits(value)));
    return shuffled(this.#measured, this.#limits.seed + round).find(
      (value) => open.includes(value) && this.#visits(value) === round,
    );
  }

  /** Whether a measured value is to be visited again: not where two visits agree, or time is short. */
  #isOpen(value: number, visits: number, remainingSeconds: number): boolean {
    const before = this.#visits(value);
    const seconds = this.#goodSeconds(value);
    if (before >= Math.min(visits, this.#limits.budget.visits)) return false;
    if (before >= fewestVisits && isNarrow(seconds)) return false;
    if (tooLong(median(seconds), this.#limits.budget) !== undefined) return false;
    // The cold step counts as a warm one.
    const { seconds: wanted, fewestSteps } = this.#budget(value, remainingSeconds);
    return Math.max(wanted, (1 + fewestSteps) * median(seconds)) < remainingSeconds;
  }

  /**
   * The next value in order that surely is affordable. Where none is, the easiest: its neighbour
   * says most closely what it takes. Where there may be no time for all of them, also the easiest:
   * a hard one would take the place of several.
   */
  #unvisited(remainingSeconds: number): number | undefined {
    const values = this.#order.filter((value) => !this.#isVisited(value));
    const { budget } = this.#limits;
    const seconds = values.map((value) => this.#expectedSeconds(value) ?? 0);
    const fewest = stepsOfPoint * seconds.reduce((sum, each) => sum + each, 0);
    if (fewest > remainingSeconds) return easiest(values, hardEnd(this.#sweep.parameter));
    const affordable = values.find((value) => {
      const expected = this.#expectedSeconds(value);
      return expected === undefined || tooLong(expected, budget) === undefined;
    });
    return affordable ?? easiest(values, hardEnd(this.#sweep.parameter));
  }

  #isVisited(value: number): boolean {
    return this.#reports.some((report) => report.value === value);
  }

  /** The next doubling, while the last two gained enough and none was refused. */
  #doubled(): number | undefined {
    const { doublesTo = 0 } = this.#sweep;
    const visited = this.#reports.map(({ value }) => value);
    const last = Math.max(0, ...visited);
    const next = 2 * last;
    if (last === 0 || next > doublesTo || this.#secondsAt(last) === undefined) return undefined;
    return this.#gain(last) < leastGain && this.#gain(last / 2) < leastGain ? undefined : next;
  }

  /** Growth of images a second from half of a value to it; Infinity where one is not known. */
  #gain(value: number): number {
    const [half, whole] = [this.#secondsAt(value / 2), this.#secondsAt(value)];
    return half === undefined || whole === undefined ? Infinity : (2 * half) / whole - 1;
  }

  /** Why no harder value is tried after one that took too long or failed to fit. */
  #tooHard(value: number): string | undefined {
    const end = hardEnd(this.#sweep.parameter);
    const refused = this.#reports.find(
      (report) => report.status === 'skipped' && isHarder(value, report.value, end),
    );
    return refused && `${this.#sweep.parameter} ${refused.value} was skipped already`;
  }

  /** Why a doubling is not tried that would take longer than the sweep may. */
  #tooLate(value: number, expectedSeconds: number, remainingSeconds: number): string | undefined {
    const seconds = stepsOfPoint * expectedSeconds;
    if (this.#sweep.values.includes(value)) return undefined;
    if (seconds <= remainingSeconds) return undefined;
    return `it would take ${seconds.toFixed(1)} s, and the sweep has ${remainingSeconds.toFixed(1)} s left`;
  }

  /**
   * At the most: work grows no faster than its parameter, and fewer workers take no longer than in
   * proportion. From the nearest easier value that was measured.
   */
  #expectedSeconds(value: number): number | undefined {
    const end = hardEnd(this.#sweep.parameter);
    if (end === 'neither') return undefined;
    const bounds = this.#reports.flatMap(({ value: from }) => {
      const seconds = this.#secondsAt(from);
      if (seconds === undefined) return [];
      if (from === value) return [seconds];
      if (!isHarder(value, from, end)) return [];
      return [seconds * Math.max(value / from, from / value) ** costPower(this.#sweep)];
    });
    return bounds.length === 0 ? undefined : Math.min(...bounds);
  }

  /** The values with good steps, rising. */
  get #measured(): readonly number[] {
    const values = this.#reports.map(({ value }) => value);
    return [...new Set(values)]
      .filter((value) => this.#goodSeconds(value).length > 0)
      .toSorted((a, b) => a - b);
  }

  #visits(value: number): number {
    return this.#reports.filter((report) => report.value === value).length;
  }

  /** The median step of a good point. */
  #secondsAt(value: number): number | undefined {
    const seconds = this.#goodSeconds(value);
    return seconds.length === 0 ? undefined : median(seconds);
  }

  #goodSeconds(value: number): readonly number[] {
    return this.#reports.flatMap((report) =>
      report.value === value && report.status === 'ok' ? report.seconds : [],
    );
  }
}

/** The quick end, then the others in a random order. */
function orderOf({ parameter, values }: Sweep, seed: number): readonly number[] {
  const first = easiest(values, hardEnd(parameter));
  if (first === undefined) return [];
  const others = values.filter((value) => value !== first);
  return [first, ...shuffled(others, seed)];
}

type HardEnd = ReturnType<typeof hardEnd>;

function easiest(values: readonly number[], end: HardEnd): number | undefined {
  if (values.length === 0) return undefined;
  return end === 'smallest' ? Math.max(...values) : Math.min(...values);
}

function isHarder(value: number, than: number, end: HardEnd): boolean {
  switch (end) {
    case 'largest':
      return value > than;
    case 'smallest':
      return value < than;
    case 'neither':
      return false;
  }
}

/** Twice the width are four times the products. */
function costPower({ parameter }: Sweep): number {
  return parameter === 'width' ? 2 : 1;
}
