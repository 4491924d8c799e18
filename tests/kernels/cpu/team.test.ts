import { wrap } from 'comlink';
import { afterEach, describe, expect, test } from 'vitest';
import { arraySize, streams } from '../../../src/core/probes/streams.ts';
import { loadModule } from '../../../src/cpu/module.ts';
import { Pool, type ThreadWorker } from '../../../src/cpu/pool.ts';
import type { Work } from '../../../src/cpu/probes/runner.ts';
import type { Team, TeamMeasurement } from '../../../src/cpu/team.ts';
import type { CpuThread } from '../../../src/cpu/thread.ts';

const pools: Pool[] = [];
const shareSize = 64 * 1024;

function spawnThread(): ThreadWorker {
  const url = new URL('../../../src/workers/cpu-thread.worker.ts', import.meta.url);
  const worker = new Worker(url, { type: 'module' });
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
  });
  return { client: wrap<CpuThread>(worker), failed, terminate: () => worker.terminate() };
}

async function poolOf(threads: number, shared: boolean): Promise<Pool> {
  const { module } = await loadModule(shared);
  const workers = Array.from({ length: threads }, spawnThread);
  const pool = new Pool(workers, module, shared, new AbortController().signal);
  pools.push(pool);
  return pool;
}

afterEach(() => {
  for (const pool of pools.splice(0)) pool.terminate();
});

const works: readonly Work[] = [
  { kind: 'chains', variant: { kernel: 'multiplyAddF32', form: 'affine', chains: 12 } },
  { kind: 'stream', stream: 'triad', arraySize: arraySize(streams.triad, shareSize) },
  { kind: 'chase', size: shareSize },
];

/** On a busy machine threads may miss each other; then they meet again, for longer. */
async function measureTogether(team: Team, work: Work): Promise<TeamMeasurement> {
  const block = await team.sizeBlocks(work, 0.5e-3, 2e-3);
  for (let sliceSeconds = 4e-3; ; sliceSeconds *= 4) {
    const measurement = await team.measure(work, block, sliceSeconds, 3);
    if (measurement.seconds.length > 0 || sliceSeconds > 0.2) return measurement;
  }
}

describe.each([{ shared: true }, { shared: false }])('a team, shared: $shared', ({ shared }) => {
  test.each([1, 2, 3])('%i threads do their work at the same time, and rightly', async (length) => {
    const pool = await poolOf(length, shared);
    const team = await pool.gather(length, length * shareSize, length * shareSize);
    expect(team.dataSize).toBe(length * shareSize);
    await team.touch(shareSize);
    for (const work of works) {
      const { seconds, check } = await measureTogether(team, work);
      expect(check.kind, work.kind).toBe('right');
      expect(seconds.length, work.kind).toBeGreaterThan(0);
      expect(seconds.every((time) => time > 0 && Number.isFinite(time))).toBe(true);
    }
    await team.disband();
  });
});

describe('overheads', () => {
  test.each([2, 3])(
    '%i threads meet and wake each other as often as they are asked to',
    async (length) => {
      const pool = await poolOf(length, true);
      const team = await pool.gather(length, length * shareSize, length * shareSize);
      const barriers = await team.timeBarriers(200);
      expect(barriers.fault).toBeUndefined();
      expect(barriers.seconds).toBeGreaterThan(0);
      const wakeUps = await team.timeWakeUps(200);
      expect(wakeUps.seconds).toBeGreaterThan(0);
      await team.disband();
    },
  );

  test('messages take time with and without shared memory', async () => {
    for (const shared of [true, false]) {
      const pool = await poolOf(1, shared);
      const team = await pool.gather(1, shareSize, shareSize);
      expect((await team.timeMessages(300)).seconds).toBeGreaterThan(0);
      await team.disband();
    }
  });
});
