import type { SweepParameter } from '../run/config.ts';
import { medianInterval } from '../stats/interval.ts';
import { settingAt, sweepOf, type StepSetting, type Sweep, type SweepBounds } from './sweep.ts';
import { SweepPlanner, type SweepLimits, type Visit, type VisitReport } from './sweepPlanner.ts';

/** The device on which a search measures. */
export interface SearchedDevice {
  /** What bounds the sweeps that begin at a setting. */
  bounds(setting: StepSetting): Promise<SweepBounds>;
  time(visit: Visit, parameter: SweepParameter): Promise<Omit<VisitReport, 'value'>>;
  /** Seconds that are left for the search, a finite number. */
  remainingSeconds(): number;
}

/** What one parameter's sweep chose. */
export interface SearchStep {
  readonly parameter: SweepParameter;
  /** Absent where the parameter was left to itself before. */
  readonly from?: number;
  readonly to: number;
}

export interface SearchOutcome {
  readonly best: StepSetting;
  readonly steps: readonly SearchStep[];
}

/**
 * Looks for the configuration of most images a second without a look inside: one parameter after
 * the other is swept from the best found so far and kept where it is faster beyond the intervals. The
 * time is shared evenly among the sweeps still to come. By how much the best is faster is to be
 * measured afterwards: what the sweeps chose by was the luckiest of many.
 */
export async function blackBoxSearch(
  parameters: readonly SweepParameter[],
  start: StepSetting,
  device: SearchedDevice,
  limits: SweepLimits,
): Promise<SearchOutcome> {
  let best: Found = { setting: start };
  const steps: SearchStep[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const sweepsLeft = parameters.length - index;
    const kept = device.remainingSeconds() * (1 - 1 / sweepsLeft);
    const sweep = sweepOf(parameter, best.setting, await device.bounds(best.setting));
    const planner = new SweepPlanner(sweep, limits);
    const next = () => planner.next(device.remainingSeconds() - kept);
    for (let visit = next(); visit !== undefined; visit = next())
      planner.report({ value: visit.value, ...(await visited(visit, parameter, device)) });
    const from = valueOf(best.setting, parameter) ?? defaultOf(sweep);
    const found = better(best, from, sweep, planner.reports);
    if (found.to !== undefined)
      steps.push({ parameter, ...(from !== undefined && { from }), to: found.to });
    best = found;
  }
  return { best: best.setting, steps };
}

async function visited(
  visit: Visit,
  parameter: SweepParameter,
  device: SearchedDevice,
): Promise<Omit<VisitReport, 'value'>> {
  return visit.skip === undefined
    ? device.time(visit, parameter)
    : { status: 'skipped', seconds: [] };
}

/** Images a second with their interval. */
interface Rate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

interface Found {
  readonly setting: StepSetting;
  /** Undefined before a sweep has measured it. */
  readonly rate?: Rate | undefined;
  /** The value that a sweep changed to. */
  readonly to?: number;
}

/** A sweep's fastest setting where that is faster than the best before beyond both intervals. */
function better(
  { setting, rate }: Found,
  from: number | undefined,
  sweep: Sweep,
  reports: readonly VisitReport[],
): Found {
  const values = [...new Set(reports.map(({ value }) => value))];
  const rated = values.flatMap((value) => {
    const good = reports.filter((report) => report.value === value && report.status === 'ok');
    const seconds = good.flatMap((report) => report.seconds);
    if (seconds.length === 0) return [];
    const { median, low, high } = medianInterval(seconds);
    const { batch } = settingAt(sweep, value);
    return [{ value, rate: batch / median, low: batch / high, high: batch / low }];
  });
  const fastest = rated.toSorted((a, b) => b.rate - a.rate)[0];
  const before = rated.find(({ value }) => value === from) ?? rate;
  return fastest !== undefined && before !== undefined && fastest.low > before.high
    ? { setting: settingAt(sweep, fastest.value), rate: fastest, to: fastest.value }
    : { setting, rate: before };
}

/** What a setting has of a parameter; undefined where that is left to the kernels. */
function valueOf(setting: StepSetting, parameter: SweepParameter): number | undefined {
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
