import { wrap } from 'comlink';
import { afterEach, describe, expect, test } from 'vitest';
import { arraySize, streams } from '../../../src/core/probes/streams.ts';
import { loadModule } from '../../../src/cpu/module.ts';
import { Pool, type ThreadWorker } from '../../../src/cpu/pool.ts';
import type { Work } from '../../../src/cpu/probes/runner.ts';
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

describe.each([{ shared: true }, { shared: false }])('a team, shared: $shared', ({ shared }) => {
  test.each([1, 2, 3])('%i threads do their work at the same time, and rightly', async (length) => {
    const pool = await poolOf(length, shared);
    const team = await pool.gather(length, length * shareSize, length * shareSize);
    expect(team.dataSize).toBe(length * shareSize);
    await team.touch(shareSize);
    for (const work of works) {
      const block = await team.sizeBlocks(work, 0.5e-3, 2e-3);
      const { seconds, check } = await team.measure(work, block, 4e-3, 3);
      expect(check.kind, work.kind).toBe('right');
      expect(seconds.length, work.kind).toBeGreaterThan(0);
      expect(seconds.every((time) => time > 0 && Number.isFinite(time))).toBe(true);
    }
    await team.disband();
  });
});
