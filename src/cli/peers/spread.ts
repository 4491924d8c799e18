import { rooflines } from '../../core/roofline/rooflines.ts';
import type { Ceiling } from '../../core/roofline/types.ts';
import { defaultConfig } from '../../core/run/config.ts';
import { median } from '../../core/stats/median.ts';
import { formatRate, formatShare } from '../../core/units.ts';
import { count, oneOf, readOptions } from '../arguments.ts';
import { browserNames } from '../browsers.ts';
import { table } from '../table.ts';
import { repeatedRuns, type TimedRun } from './repeatedRuns.ts';

export const spreadUsage =
  'npm run peers -- spread [--browser chromium|firefox] [--device gpu|cpu] [--runs 5]';

interface Run {
  readonly seconds: number;
  readonly ceilings: readonly Ceiling[];
}

/** `npm run peers -- spread`: the ceilings of several quick runs in a row, and how far they differ. */
export async function spreadOfRuns(argv: readonly string[]): Promise<number> {
  const values = readOptions([...argv], {
    browser: { type: 'string' },
    device: { type: 'string' },
    runs: { type: 'string' },
  });
  const browser = oneOf(values, 'browser', browserNames, 'chromium');
  const device = oneOf(values, 'device', ['gpu', 'cpu'], 'gpu');
  const config = Object.freeze({ ...defaultConfig, device, sweeps: [] });
  const runs = await repeatedRuns(browser, config, count(values, 'runs', 5));
  console.log(report(runs.map(ceilingsOf)));
  return 0;
}

function ceilingsOf({ record, seconds }: TimedRun): Run {
  const samples = record.events.flatMap((event) => (event.kind === 'sample' ? [event.sample] : []));
  const ceilings = rooflines(samples).flatMap(({ compute, bandwidth }) =>
    compute.concat(bandwidth),
  );
  return { seconds, ceilings };
}

function nameOf({ label, threads }: Ceiling): string {
  return threads === undefined ? label : `${label}, ${threads} threads`;
}

function report(runs: readonly Run[]): string {
  const all = runs.flatMap(({ ceilings }) => ceilings);
  const rows = [...new Set(all.map(nameOf))].map((label) => {
    const own = all.filter((ceiling) => nameOf(ceiling) === label);
    const values = own.map(({ value }) => value);
    const spread = (Math.max(...values) - Math.min(...values)) / median(values);
    const flags = [...new Set(own.flatMap((ceiling) => ceiling.flags))];
    return [
      label,
      formatShare(spread),
      own.map(({ value, unit }) => formatRate(value, unit)).join(', '),
      flags.join(', '),
    ];
  });
  const seconds = runs.map((run) => run.seconds.toFixed(1)).join(', ');
  return [
    table(['ceiling', '(max - min) / median', 'of each run', 'flags'], rows),
    `  seconds of each run: ${seconds}`,
  ].join('\n');
}
