import { browserName } from '../run/browserName.ts';
import type { DeviceEnvironment } from '../run/events.ts';
import { formatCount, formatDuration, formatSize } from '../units.ts';
import { deviceName, type ComparedRun } from './comparedRun.ts';

/** One thing that runs may have in common or not. */
export interface EnvironmentRow {
  readonly name: string;
  /** One a run, in order; undefined where a run does not tell. */
  readonly values: readonly (string | undefined)[];
  readonly differs: boolean;
}

type Device<K extends DeviceEnvironment['device']> = Extract<DeviceEnvironment, { device: K }>;

function device<K extends DeviceEnvironment['device']>(
  { run }: ComparedRun,
  kind: K,
): Device<K> | undefined {
  return run.summary.environment.devices.find((found): found is Device<K> => found.device === kind);
}

const yesNo = (value: boolean | undefined): string | undefined =>
  value === undefined ? undefined : value ? 'yes' : 'no';

type Facts = Readonly<Record<string, (run: ComparedRun) => string | undefined>>;

/** What a comparison has to know first, in the order in which it explains differences. */
const facts: Facts = {
  GPU: (compared) => device(compared, 'gpu') && deviceName(compared.run, 'gpu'),
  'GPU timer': (run) => device(run, 'gpu')?.timer,
  'GPU timestamp step': (run) => duration(device(run, 'gpu')?.timestampGridSeconds),
  'GPU features': (run) => device(run, 'gpu')?.features.toSorted().join(', '),
  'Largest GPU buffer': (run) => size(device(run, 'gpu')?.limits['maxBufferSize']),
  'CPU threads': (run) => count(device(run, 'cpu')?.threads),
  'WebAssembly module': (run) => device(run, 'cpu')?.module,
  'Shared memory': (run) => yesNo(device(run, 'cpu')?.sharedMemory),
  'CPU clock step': (run) => duration(device(run, 'cpu')?.clockStepSeconds),
  'Logical cores': ({ run }) => count(run.summary.environment.logicalCores),
  Browser: ({ run }) => browserName(run.summary.environment.userAgent),
  'User agent': ({ run }) => run.summary.environment.userAgent,
  Platform: ({ run }) => run.summary.environment.platform,
  'Cross-origin isolated': ({ run }) => yesNo(run.summary.environment.isolated),
  'Rooftrace version': ({ run }) => `${run.app.version} (${run.app.commit})`,
  Profile: ({ run }) => run.config.profile,
  Networks: ({ run }) => run.config.models.join(', '),
};

/** What the runs were measured on and with: the rows that differ first. Rows nobody tells are left out. */
export function environmentRows(runs: readonly ComparedRun[]): readonly EnvironmentRow[] {
  return Object.entries(facts)
    .map(([name, fact]) => {
      const values = runs.map(fact);
      return { name, values, differs: new Set(values).size > 1 };
    })
    .filter(({ values }) => values.some((value) => value !== undefined && value !== ''))
    .toSorted((a, b) => Number(b.differs) - Number(a.differs));
}

function duration(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : formatDuration(seconds);
}

function size(bytes: number | undefined): string | undefined {
  return bytes === undefined ? undefined : formatSize(bytes);
}

function count(value: number | undefined): string | undefined {
  return value === undefined ? undefined : formatCount(value);
}
