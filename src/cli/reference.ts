import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReferenceIndex } from '../core/compare/referenceIndex.ts';
import { measuredSpread } from '../core/compare/spread.ts';
import { groupBy } from '../core/groupBy.ts';
import { browserName } from '../core/run/browserName.ts';
import { parseRecord, recordToJson } from '../core/run/codec.ts';
import { profiles } from '../core/run/config.ts';
import type { RunRecord } from '../core/run/record.ts';
import { summary } from '../core/run/summary.ts';
import { ArgumentError, readOptions, required, runCommand } from './arguments.ts';

const usage = 'npm run reference -- --from DIR --machine "WORDS"';
const folder = 'public/reference';

/** Reads the `run.json` of every folder in `from`, as `npm run bench -- --out` leaves them. */
function readRuns(from: string): readonly RunRecord[] {
  const records = readdirSync(from, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name }) => readRun(join(from, name, 'run.json')));
  if (records.length === 0) throw new ArgumentError(`--from: expected folders of runs in ${from}`);
  return records;
}

function readRun(file: string): RunRecord {
  const parsed = parseRecord(readFileSync(file, 'utf8'));
  if (parsed.kind === 'ok') return parsed.value;
  const [error] = parsed.errors;
  throw new ArgumentError(`${file}: ${error?.field} is ${error?.value}, not ${error?.expected}`);
}

/** Equal for runs of one browser under one profile; all are of one machine. */
function repeatKey({ environment, config }: RunRecord): string {
  return `${browserName(environment.userAgent)} ${config.profile}`;
}

/** Without the words of progress, which say nothing of the machine. */
function withoutProgress(record: RunRecord): RunRecord {
  return { ...record, events: record.events.filter(({ kind }) => kind !== 'progress') };
}

function nameOf(record: RunRecord): string {
  const { userAgent } = record.environment;
  const software = record.events.some(
    (event) =>
      event.kind === 'environment' &&
      event.environment.device === 'gpu' &&
      event.environment.software,
  );
  return `${browserName(userAgent)}${software ? ', software GPU' : ''}`;
}

/**
 * Writes the reference runs that the app compares with: of each browser and profile the first
 * run, and what repeated runs under a profile showed of the spread between them.
 */
function writeReference(records: readonly RunRecord[], machine: string): void {
  const repeats = groupBy(records, repeatKey);
  const chosen = repeats.map((runs) => withoutProgress(runs[0]!));
  const spreads = Object.fromEntries(
    profiles.flatMap((profile) => {
      const groups = repeats
        .filter((runs) => runs.length > 1 && runs[0]?.config.profile === profile)
        .map((runs) => runs.map((record) => summary(record)));
      return groups.length === 0 ? [] : [[profile, measuredSpread(groups)]];
    }),
  );
  mkdirSync(folder, { recursive: true });
  const runs = chosen.map((record) => {
    const file = `${repeatKey(record)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')}.json`;
    writeFileSync(join(folder, file), recordToJson(record));
    return { file, name: nameOf(record), machine };
  });
  const index: ReferenceIndex = { runs, spreads };
  writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
  for (const run of runs) console.log(`${folder}/${run.file}: ${run.name}`);
}

await runCommand(usage, () => {
  const values = readOptions(process.argv.slice(2), {
    from: { type: 'string' },
    machine: { type: 'string' },
  });
  writeReference(
    readRuns(required(values, 'from', 'a folder of runs')),
    required(values, 'machine', 'what the machine is'),
  );
  return Promise.resolve(0);
});
