import { operationOf } from '../roofline/compute.ts';
import { isEvidence, workOf } from '../roofline/rates.ts';
import type { Measured, Sample } from '../roofline/sample.ts';
import { medianInterval } from '../stats/interval.ts';
import { browserName } from './browserName.ts';
import type { RunRecord } from './record.ts';

type Cell = string | number | undefined;

/**
 * The columns, in order; docs/method/statistics-and-roofs.md describes each. Cells that do not
 * apply are empty; `seconds` holds every raw time in order, separated by spaces.
 */
const columns: Readonly<Record<string, (sample: Sample) => Cell>> = {
  device: ({ device }) => device,
  deviceId: ({ deviceId }) => deviceId,
  probe: ({ probe }) => probe,
  variant: ({ variant }) => variant,
  kind: ({ measured }) => measured.kind,
  precision: ({ measured }) => ('precision' in measured ? measured.precision : undefined),
  pattern: ({ measured }) => (measured.kind === 'bandwidth' ? measured.pattern : undefined),
  of: ({ measured }) => ('of' in measured ? measured.of : undefined),
  direction: ({ measured }) => (measured.kind === 'transfer' ? measured.direction : undefined),
  work: ({ measured }) => workOf(measured),
  workUnit: ({ measured }) => workUnit(measured),
  /** Bytes beside the operations of mixed work. */
  mixedBytes: ({ measured }) => (measured.kind === 'mixed' ? measured.bytes : undefined),
  workingSetSize: ({ measured }) =>
    'workingSetSize' in measured ? measured.workingSetSize : undefined,
  threads: ({ threads }) => threads,
  timer: ({ timer }) => timer,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  flags: ({ flags }) => flags.join('; '),
  repeats: ({ seconds }) => seconds.length,
  medianSeconds: (sample) => interval(sample)?.median,
  ciLowSeconds: (sample) => interval(sample)?.low,
  ciHighSeconds: (sample) => interval(sample)?.high,
  seconds: ({ seconds }) => seconds.join(' '),
};

/** One row a sample, in the order of the run, under a header row; RFC 4180 (CRLF, quotes doubled). */
export function samplesCsv({ app, startedAt, environment, events }: RunRecord): string {
  const samples = events.flatMap((event) => (event.kind === 'sample' ? [event.sample] : []));
  // The same in every row: a table is read without its file's name.
  const run = { startedAt, appVersion: app.version, browser: browserName(environment.userAgent) };
  const rows = [
    [...Object.keys(columns), ...Object.keys(run)],
    ...samples.map((sample) =>
      Object.values(columns)
        .map((cellOf) => cellOf(sample))
        .concat(Object.values(run)),
    ),
  ];
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function workUnit(measured: Measured): string {
  switch (measured.kind) {
    case 'compute':
    case 'mixed':
    case 'sustained':
      return operationOf(measured.precision);
    case 'bandwidth':
    case 'transfer':
      return 'byte';
    case 'latency':
      return 'load';
    case 'overhead':
      return 'call';
    case 'extra':
      return measured.unit;
  }
}

/** Only of evidence: the median of refused times would read like a result. */
function interval(sample: Sample): ReturnType<typeof medianInterval> | undefined {
  return isEvidence(sample) ? medianInterval(sample.seconds) : undefined;
}

function quoted(cell: Cell): string {
  const text = cell === undefined ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
