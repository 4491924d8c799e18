import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRecord } from '../../core/run/codec.ts';
import { configKeys, defaultConfig, type RunConfig } from '../../core/run/config.ts';
import type { RunRecord } from '../../core/run/record.ts';
import { summary } from '../../core/run/summary.ts';
import { fixedInWords } from '../../core/roofline/parameterWords.ts';
import type { ReadingKind, Trajectory } from '../../core/roofline/types.ts';
import { wholeSteps } from '../../core/roofline/wholeSteps.ts';
import { groupBy } from '../../core/groupBy.ts';
import { median } from '../../core/stats/median.ts';
import { formatDuration, formatShare } from '../../core/units.ts';
import { ArgumentError, count, oneOf, readOptions, type Values } from '../arguments.ts';
import { browserNames } from '../browsers.ts';
import { table } from '../table.ts';
import { repeatedRuns } from './repeatedRuns.ts';

export const sweepSpreadUsage =
  'npm run peers -- sweep-spread [--browser chromium|firefox] [--device gpu|cpu|both] [--model NAME,...] ' +
  '[--sweep PARAMETER,...] [--runs 5] [--from DIR,...]';

/** Points of equal runs may differ by so much, and so many of five readings may be others. */
const mostSpread = 0.08;
const leastAgreement = 0.8;

/** A point, or the segment that ends at it, of several runs. */
interface Repeated {
  readonly trajectory: string;
  readonly value: number;
  readonly seconds: readonly number[];
  /** (max - min) / median of the step's times. */
  readonly spread: number;
  readonly readings: readonly ReadingKind[];
  /** Share of the runs that have the most frequent reading; absent for a first point. */
  readonly agreement?: number;
}

/**
 * `npm run peers -- sweep-spread`: the points and readings of several quick runs in a row, or of those
 * that bench wrote to folders, and how far they differ; 0 where points and readings repeat.
 */
export async function spreadOfSweeps(argv: readonly string[]): Promise<number> {
  const values = readOptions([...argv], {
    browser: { type: 'string' },
    device: { type: 'string' },
    model: { type: 'string' },
    sweep: { type: 'string' },
    runs: { type: 'string' },
    from: { type: 'string' },
  });
  const records = await recordsOf(values);
  const all = repeatedPoints(records.map((record) => wholeSteps(summary(record).trajectories)));
  // What one run alone has measured repeats nothing.
  const found = all.filter(({ seconds }) => seconds.length > 1);
  console.log(report(found, records.length));
  return found.every(repeats) ? 0 : 1;
}

async function recordsOf(values: Values): Promise<readonly RunRecord[]> {
  const from = values['from'];
  if (typeof from === 'string') return from.split(',').map(readRun);
  const browser = oneOf(values, 'browser', browserNames, 'chromium');
  const config: RunConfig = Object.freeze({
    ...defaultConfig,
    device: chosen(values, 'device'),
    models: chosen(values, 'models'),
    sweeps: chosen(values, 'sweeps'),
  });
  const runs = await repeatedRuns(browser, config, count(values, 'runs', 5));
  return runs.map(({ record }) => record);
}

function chosen<F extends keyof RunConfig>(values: Values, field: F): RunConfig[F] {
  const { name, expected, parse } = configKeys[field];
  const text = values[name];
  if (typeof text !== 'string') return defaultConfig[field];
  const value = parse(text);
  if (value === undefined)
    throw new ArgumentError(`--${name}: expected ${expected}, got '${text}'`);
  return value;
}

function readRun(folder: string): RunRecord {
  const parsed = parseRecord(readFileSync(join(folder, 'run.json'), 'utf8'));
  if (parsed.kind === 'ok') return parsed.value;
  throw new ArgumentError(`--from: ${folder}/run.json is no run of this version`);
}

/** The points that are good in any of the runs; a run without one counts for no time and no reading. */
function repeatedPoints(runs: readonly (readonly Trajectory[])[]): readonly Repeated[] {
  const points = runs.flat().flatMap((trajectory) =>
    trajectory.points
      .filter(({ status }) => status === 'ok')
      .map(({ value, seconds }): RunPoint => ({
        trajectory: titleOf(trajectory),
        value,
        seconds,
        reading: trajectory.segments.find(({ to }) => to === value)?.kind,
      })),
  );
  const grouped = groupBy(points, ({ trajectory, value }) => JSON.stringify([trajectory, value]));
  return grouped.map(repeated);
}

interface RunPoint {
  readonly trajectory: string;
  readonly value: number;
  readonly seconds: number;
  readonly reading: ReadingKind | undefined;
}

/** The same point of several runs. */
function repeated(same: readonly RunPoint[]): Repeated {
  const { trajectory, value } = same[0]!;
  const seconds = same.map((point) => point.seconds);
  const readings = same.flatMap(({ reading }) => reading ?? []);
  const counts = groupBy(readings, (reading) => reading).map(({ length }) => length);
  return {
    trajectory,
    value,
    seconds,
    spread: (Math.max(...seconds) - Math.min(...seconds)) / median(seconds),
    readings,
    ...(readings.length > 0 && { agreement: Math.max(...counts) / readings.length }),
  };
}

function titleOf({ device, model, parameter, fixed }: Trajectory): string {
  return [device.toUpperCase(), model, parameter, fixedInWords(fixed)].filter(Boolean).join(', ');
}

function repeats({ spread, agreement = 1 }: Repeated): boolean {
  return spread <= mostSpread && agreement >= leastAgreement;
}

function report(found: readonly Repeated[], runs: number): string {
  const rows = found
    .toSorted((a, b) => a.trajectory.localeCompare(b.trajectory) || a.value - b.value)
    .map((point) => [
      point.trajectory,
      String(point.value),
      point.seconds.map(formatDuration).join(', '),
      formatShare(point.spread),
      point.agreement === undefined ? '' : formatShare(point.agreement),
      [...new Set(point.readings)].join(', '),
      repeats(point) ? '' : 'differs',
    ]);
  const steady = found.filter(({ spread }) => spread <= mostSpread).length;
  const read = found.filter(({ agreement }) => agreement !== undefined);
  const agreed = read.filter(({ agreement = 0 }) => agreement >= leastAgreement).length;
  return [
    table(['sweep', 'value', 'step of each run', 'spread', 'agree', 'readings', ''], rows),
    `${runs} runs: ${steady} of ${found.length} points spread by ${formatShare(mostSpread)} at most; ` +
      `${agreed} of ${read.length} readings are the same in ${formatShare(leastAgreement)} of the runs.`,
  ].join('\n');
}
