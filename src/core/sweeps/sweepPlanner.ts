import type { StepTiming } from '../run/events.ts';
import { median } from '../stats/median.ts';
import { fewestWarmSteps, tooLong, type PointBudget } from './pointBudget.ts';
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
  /** What the point may cost: less than the sweep's own budget where its time is short. */
  readonly budget: PointBudget;
  /** The point was measured before: the two tell whether the device changed meanwhile. */
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

/**
 * Walks a sweep: the quick end first, the other values in a random order so that heat and clocks do
 * not pass for a trend, doublings while they pay, and both ends once more at the end, which shows
 * drift. Its state is the list of reports: given those of a sweep that a fault ended, a new planner
 * of the same sweep and seed goes on where it stopped.
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
    const known = Math.max(this.#order.length + 2, this.#reports.length + 1);
    return this.#reports.length / known;
  }

  report({ value, status, seconds }: VisitReport): void {
    this.#reports.push({ value, status, seconds });
  }

  /**
   * The next visit, the same one until it is reported; undefined at the end. `remainingSeconds` is
   * what the whole sweep may still take: without time ends are not repeated and the rest is skipped.
   */
  next(remainingSeconds = Infinity): Visit | undefined {
    const value =
      this.#unvisited(remainingSeconds) ?? (remainingSeconds > 0 ? this.#doubled() : undefined);
    if (value !== undefined) return this.#visit(value, remainingSeconds);
    const repeat = this.#ends().find((end) => this.#isToRepeat(end, remainingSeconds));
    return repeat === undefined ? undefined : this.#visit(repeat, remainingSeconds);
  }

  #visit(value: number, remainingSeconds: number): Visit {
    const expectedSeconds = this.#expectedSeconds(value);
    const skip =
      remainingSeconds <= 0
        ? 'the time for the sweep was spent'
        : (this.#tooHard(value) ??
          (expectedSeconds === undefined
            ? undefined
            : (tooLong(expectedSeconds, this.#limits.budget) ??
              this.#tooLate(value, expectedSeconds, remainingSeconds))));
    return {
      value,
      setting: settingAt(this.#sweep, value),
      ...(skip !== undefined && { skip }),
      ...(expectedSeconds !== undefined && { expectedSeconds }),
      budget: this.#budget(remainingSeconds),
      isRepeat: this.#isVisited(value),
    };
  }

  /** An even share of what remains for the values to come and both ends: a busy machine visits all. */
  #budget(remainingSeconds: number): PointBudget {
    const { budget } = this.#limits;
    const visits = this.#order.filter((value) => !this.#isVisited(value)).length + 2;
    const share = Math.max(0, remainingSeconds) / visits;
    return { ...budget, seconds: Math.min(budget.seconds, share) };
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
    if (this.#sweep.values.includes(value) || this.#isVisited(value)) return undefined;
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

  #ends(): readonly number[] {
    const measured = this.#reports
      .filter(({ value }) => this.#secondsAt(value) !== undefined)
      .map(({ value }) => value);
    if (new Set(measured).size < 2) return [];
    const ends = [Math.min(...measured), Math.max(...measured)];
    return hardEnd(this.#sweep.parameter) === 'smallest' ? ends.toReversed() : ends;
  }

  #isToRepeat(end: number, remainingSeconds: number): boolean {
    const visits = this.#reports.filter(({ value }) => value === end).length;
    const seconds = this.#secondsAt(end) ?? Infinity;
    // Warm steps until the interval is narrow, as the first time, or for as long as there is time.
    const wanted = Math.max(this.#budget(remainingSeconds).seconds, stepsOfPoint * seconds);
    return visits < 2 && wanted < remainingSeconds;
  }

  /** The median step of a good point. */
  #secondsAt(value: number): number | undefined {
    const good = this.#reports.filter(
      (report) => report.value === value && report.status === 'ok' && report.seconds.length > 0,
    );
    return good.length === 0 ? undefined : median(good.flatMap(({ seconds }) => seconds));
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
