import { readFileSync, writeFileSync } from 'node:fs';
import { envelope, isShared } from '../../src/core/roofline/bandwidth.ts';
import { isEvidence, samplesOf } from '../../src/core/roofline/rates.ts';
import { browserName } from '../../src/core/run/browserName.ts';
import { parseRecord } from '../../src/core/run/codec.ts';
import type { RunRecord } from '../../src/core/run/record.ts';
import { findLevels } from '../../src/core/roofline/levels.ts';

/**
 * `npm run record-sweeps -- DIR/run.json ...`: the GPU sweeps of records that `bench` wrote, as the data
 * that level detection is tested on. Levels and capacities are those found now: look at the points
 * before you keep them.
 */

const file = 'tests/fixtures/gpu-sweeps.json';
const note =
  '[working set in bytes, byte/s], the envelope of read, write, copy and triad; launches limit the left side, other load on the machine dents the right';

/** The envelope of a record's shared sweep, and the levels in it. */
function sweepOf(record: RunRecord) {
  const samples = record.events.flatMap((event) =>
    event.kind === 'sample' && event.sample.device === 'gpu' ? [event.sample] : [],
  );
  const shared = samplesOf(samples.filter(isEvidence), 'bandwidth').filter(isShared);
  const points = envelope(shared);
  const levels = findLevels(points);
  return {
    browser: browserName(record.environment.userAgent),
    of: record.config.profile,
    recordedAt: record.startedAt,
    levels: levels.length,
    capacities: levels.flatMap(({ capacity }) => capacity?.capacityBytes ?? []),
    points: points.map(({ workingSetSize, bytesPerSecond }) => [
      workingSetSize,
      Number(bytesPerSecond.toPrecision(4)),
    ]),
  };
}

function read(path: string): RunRecord {
  const parsed = parseRecord(readFileSync(path, 'utf8'));
  if (parsed.kind === 'invalid') throw new Error(`${path}: ${JSON.stringify(parsed.errors[0])}`);
  return parsed.value;
}

const sweeps = process.argv.slice(2).map((path) => sweepOf(read(path)));
if (sweeps.length === 0) throw new Error('npm run record-sweeps -- DIR/run.json ...');
writeFileSync(file, `${JSON.stringify({ device: 'gpu', note, sweeps })}\n`);
for (const { browser, of, levels, points } of sweeps)
  console.log(`${browser}, ${of}: ${points.length} working sets, ${levels} levels`);
