import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordToJson } from '../core/run/codec.ts';
import {
  configKeys,
  defaultConfig,
  defaultsOf,
  type DeviceKind,
  type RunConfig,
} from '../core/run/config.ts';
import { timeViews } from '../core/roofline/timeViews.ts';
import { samplesCsv } from '../core/run/csv.ts';
import type { RunRecord, RunSummary } from '../core/run/record.ts';
import { summary } from '../core/run/summary.ts';
import {
  ArgumentError,
  oneOf,
  readOptions,
  required,
  runCommand,
  type Values,
} from './arguments.ts';
import { browserNames, launchBrowser, type BrowserName } from './browsers.ts';
import { driveRun } from './drive.ts';
import { idleSweeps } from './idleSweeps.ts';
import { ProgressLine } from './progress.ts';
import { comparisonReport } from './processes.ts';
import { report, reportInWords } from './report.ts';
import { serveBuiltApp } from './serve.ts';

const usage =
  'npm run bench -- --browser chromium|firefox --out DIR [--profile quick|full|sustained] ' +
  '[--device gpu|cpu|both] [--model NAME,...] [--sweep batch,workgroups,threads,replicas,...|none] [--tune] [--explain] [--headed]';

interface BenchOptions {
  readonly browser: BrowserName;
  readonly config: RunConfig;
  readonly folder: string;
  readonly headed: boolean;
  /** Whether the step is tuned after the run. */
  readonly tune: boolean;
  /** Whether every ceiling, point and segment is told in words. */
  readonly explain: boolean;
  /** What of the options has no effect. */
  readonly note: string | undefined;
}

function readBenchOptions(args: readonly string[]): BenchOptions {
  const values = readOptions(args, {
    browser: { type: 'string' },
    profile: { type: 'string' },
    device: { type: 'string' },
    model: { type: 'string' },
    sweep: { type: 'string' },
    out: { type: 'string' },
    tune: { type: 'boolean' },
    explain: { type: 'boolean' },
    headed: { type: 'boolean' },
  });
  const profile = readConfig(values, 'profile', defaultConfig);
  const defaults = defaultsOf(profile);
  const config: RunConfig = Object.freeze({
    profile,
    device: readConfig(values, 'device', defaults),
    models: readConfig(values, 'models', defaults),
    sweeps: readConfig(values, 'sweeps', defaults),
  });
  return {
    browser: oneOf(values, 'browser', browserNames, 'chromium'),
    config,
    folder: required(values, 'out', 'a folder to write to'),
    headed: values['headed'] === true,
    tune: values['tune'] === true,
    explain: values['explain'] === true,
    note: values['sweep'] === undefined ? undefined : idleSweeps(config),
  };
}

/** Options of a run read as the page's address does. */
function readConfig<F extends keyof RunConfig>(
  values: Values,
  field: F,
  defaults: RunConfig,
): RunConfig[F] {
  const { name, expected, parse } = configKeys[field];
  const text = values[name];
  if (typeof text !== 'string') return defaults[field];
  const value = parse(text);
  if (value === undefined)
    throw new ArgumentError(`--${name}: expected ${expected}, got '${text}'`);
  return value;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new ArgumentError(`--out: expected a folder to write to, ${(error as Error).message}`);
  }
}

function writeResults(folder: string, record: RunRecord, found: RunSummary): void {
  writeFileSync(join(folder, 'run.json'), recordToJson(record));
  writeFileSync(join(folder, 'summary.json'), JSON.stringify(found, null, 2));
  writeFileSync(join(folder, 'samples.csv'), samplesCsv(record));
}

async function measure(options: BenchOptions, signal: AbortSignal): Promise<RunRecord> {
  // The browser starts while the app is built; what it fails with is met below.
  const launching = launchBrowser(options.browser, options.headed);
  launching.catch(() => {});
  const app = await serveBuiltApp();
  const progress = new ProgressLine(process.stderr);
  try {
    const browser = await launching;
    try {
      return await driveRun(browser, {
        url: app.url,
        config: options.config,
        tune: options.tune,
        signal,
        onEvent: (event) => progress.show(event),
      });
    } finally {
      await browser.close();
    }
  } finally {
    progress.end();
    await app.close();
  }
}

/** True when every device that was asked for gave what it should, and nothing was cancelled. */
function complete(record: RunRecord, found: RunSummary): boolean {
  const { rooflines, trajectories, failures } = found;
  const cancelled = record.events.some((event) => event.kind === 'done' && event.cancelled);
  const measured = (device: DeviceKind): boolean =>
    rooflines.some(
      (roofline) =>
        roofline.device === device &&
        (roofline.sustained !== undefined ||
          (roofline.compute.length > 0 && roofline.bandwidth.length > 0)),
    );
  const wanted: readonly DeviceKind[] =
    record.config.device === 'both' ? ['gpu', 'cpu'] : [record.config.device];
  return (
    !cancelled &&
    failures.length === 0 &&
    wanted.every(measured) &&
    (!trains(record.config) || trajectories.length > 0) &&
    trajectories.every(({ points }) => points.every(({ status }) => status !== 'failed'))
  );
}

/** Whether a run trains on the GPU; some sweeps have no points on the CPU, or on one core of it. */
function trains({ device, profile, sweeps }: RunConfig): boolean {
  return device !== 'cpu' && profile !== 'sustained' && sweeps.length > 0;
}

await runCommand(usage, async () => {
  const options = readBenchOptions(process.argv.slice(2));
  if (options.note !== undefined) console.error(options.note);
  makeFolder(options.folder);
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  const record = await measure(options, interrupt.signal);
  const found = summary(record);
  writeResults(options.folder, record, found);
  console.log(report(found, timeViews(record.events, found.rooflines), record.events));
  const comparisons = comparisonReport(found);
  if (comparisons !== '') console.log(`\n${comparisons}`);
  if (options.explain) console.log(`\n${reportInWords(found)}`);
  return complete(record, found) ? 0 : 1;
});
