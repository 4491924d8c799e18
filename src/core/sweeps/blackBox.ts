import type { SweepParameter } from '../run/config.ts';
import { gainOf, type Gain } from '../stats/gain.ts';
import { medianInterval } from '../stats/interval.ts';
import { settingAt, sweepOf, type StepSetting, type Sweep, type SweepBounds } from './sweep.ts';
import { SweepPlanner, type SweepLimits, type Visit, type VisitReport } from './sweepPlanner.ts';

/** One point of the search: of a sweep, or of the comparison at its end. */
export interface SearchVisit extends Visit {
  readonly parameter: SweepParameter | 'comparison';
}

/** What one parameter's sweep chose. */
export interface SearchStep {
  readonly parameter: SweepParameter;
  /** Absent where the parameter was left to itself before. */
  readonly from?: number;
  readonly to: number;
  /** Images a second at `to` over those before. */
  readonly gain: number;
}

export interface SearchOutcome {
  readonly start: StepSetting;
  readonly best: StepSetting;
  readonly steps: readonly SearchStep[];
  /** Images a second of the best over the start, from the comparison; absent before it ends. */
  readonly gain?: Gain;
}

/** Times that start and best are measured alternately at the end. */
const comparisons = 3;

/**
 * Looks for the configuration of most images a second without a look inside: one parameter after
 * the other is swept from the best found so far and kept where it is faster beyond the intervals.
 * At the end start and best are measured alternately, since what the sweeps chose by was the luckiest
 * of many. Its state are the reports, in order.
 */
export class BlackBoxSearch {
  readonly #start: StepSetting;
  readonly #parameters: readonly SweepParameter[];
  readonly #boundsOf: (setting: StepSetting) => SweepBounds;
  readonly #limits: SweepLimits;
  readonly #steps: SearchStep[] = [];
  readonly #compared = { start: [] as number[], best: [] as number[] };
  #best: StepSetting;
  /** Images a second of the best, with their interval; undefined before a sweep has measured it. */
  #bestRate: Rate | undefined;
  #current: { readonly sweep: Sweep; readonly planner: SweepPlanner } | undefined;
  #swept = 0;
  #comparisons = 0;

  constructor(
    parameters: readonly SweepParameter[],
    start: StepSetting,
    boundsOf: (setting: StepSetting) => SweepBounds,
    limits: SweepLimits,
  ) {
    this.#parameters = parameters;
    this.#start = start;
    this.#best = start;
    this.#boundsOf = boundsOf;
    this.#limits = limits;
    this.#open();
  }

  /** The next visit, the same until it is reported; undefined at the end. */
  next(remainingSeconds = Infinity): SearchVisit | undefined {
    while (this.#current !== undefined) {
      const { sweep, planner } = this.#current;
      const visit = planner.next(remainingSeconds);
      if (visit !== undefined) return { ...visit, parameter: sweep.parameter };
      this.#close(sweep, planner);
    }
    if (this.#steps.length === 0 || this.#comparisons >= 2 * comparisons) return undefined;
    const setting = this.#comparisons % 2 === 0 ? this.#start : this.#best;
    const isRepeat = this.#comparisons >= 2;
    return { parameter: 'comparison', value: this.#comparisons, setting, isRepeat };
  }

  report(report: VisitReport): void {
    if (this.#current !== undefined) {
      this.#current.planner.report(report);
      return;
    }
    if (report.status === 'ok')
      this.#compared[this.#comparisons % 2 === 0 ? 'start' : 'best'].push(...report.seconds);
    this.#comparisons += 1;
  }

  get outcome(): SearchOutcome {
    const { start, best } = this.#compared;
    const isCompared = this.#comparisons >= 2 * comparisons && start.length > 0 && best.length > 0;
    return {
      start: this.#start,
      best: this.#best,
      steps: this.#steps,
      ...(isCompared && { gain: this.#gainPerImage(start, best) }),
    };
  }

  /** Times an image: a larger batch takes longer and may yet be faster. */
  #gainPerImage(start: readonly number[], best: readonly number[]): Gain {
    return gainOf(
      start.map((seconds) => seconds / this.#start.batch),
      best.map((seconds) => seconds / this.#best.batch),
    );
  }

  /** Begins the next parameter's sweep, if there is one. */
  #open(): void {
    const parameter = this.#parameters[this.#swept];
    this.#swept += 1;
    if (parameter === undefined) {
      this.#current = undefined;
      return;
    }
    const sweep = sweepOf(parameter, this.#best, this.#boundsOf(this.#best));
    this.#current = { sweep, planner: new SweepPlanner(sweep, this.#limits) };
  }

  #close(sweep: Sweep, { reports }: SweepPlanner): void {
    const rated = reports
      .filter(({ status, seconds }) => status === 'ok' && seconds.length > 0)
      .map(({ value, seconds }) => {
        const { batch } = settingAt(sweep, value);
        const { median, low, high } = medianInterval(seconds);
        return { value, rate: batch / median, low: batch / high, high: batch / low };
      });
    const fastest = rated.toSorted((a, b) => b.rate - a.rate)[0];
    const from = valueOf(this.#best, sweep) ?? defaultOf(sweep);
    const before = rated.find(({ value }) => value === from) ?? this.#bestRate;
    if (fastest !== undefined && before !== undefined && fastest.low > before.high) {
      this.#steps.push({
        parameter: sweep.parameter,
        ...(from !== undefined && { from }),
        to: fastest.value,
        gain: fastest.rate / before.rate,
      });
      this.#best = settingAt(sweep, fastest.value);
      this.#bestRate = fastest;
    } else if (before !== undefined) this.#bestRate = before;
    this.#open();
  }
}

interface Rate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** What a setting has of a sweep's parameter; undefined where that is left to the kernels. */
function valueOf(setting: StepSetting, { parameter }: Sweep): number | undefined {
  switch (parameter) {
    case 'batch':
    case 'workgroups':
    case 'workgroupSize':
    case 'threads':
    case 'replicas':
      return setting[parameter];
    case 'depth':
    case 'width':
      return undefined;
  }
}

/** What a parameter is where it is not set; undefined where only the kernels know. */
function defaultOf({ parameter, values }: Sweep): number | undefined {
  switch (parameter) {
    case 'workgroups':
    case 'threads':
      return values.at(-1);
    case 'replicas':
      return 1;
    case 'batch':
    case 'workgroupSize':
    case 'depth':
    case 'width':
      return undefined;
  }
}
