import { wrap } from 'comlink';
import { afterEach, expect, test } from 'vitest';
import { flags } from '../../../src/core/roofline/flags.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { loadModule } from '../../../src/cpu/module.ts';
import { Pool } from '../../../src/cpu/pool.ts';
import { probeBandwidth } from '../../../src/cpu/probes/bandwidth.ts';
import { cpuProfiles, fitToClock } from '../../../src/cpu/profile.ts';
import { Progress } from '../../../src/cpu/progress.ts';
import type { CpuThread } from '../../../src/cpu/thread.ts';

const mebibyte = 2 ** 20;
const browserMemory = WebAssembly.Memory;
const pools: Pool[] = [];

async function onePool(): Promise<Pool> {
  const { module } = await loadModule(true);
  const url = new URL('../../../src/workers/cpu-thread.worker.ts', import.meta.url);
  const worker = new Worker(url, { type: 'module' });
  const thread = {
    client: wrap<CpuThread>(worker),
    failed: new Promise<never>(() => {}),
    terminate: () => worker.terminate(),
  };
  const pool = new Pool([thread], module, true, new AbortController().signal);
  pools.push(pool);
  return pool;
}

/** The browser refuses memories of more than `most` bytes. */
function refuseBeyond(most: number): void {
  WebAssembly.Memory = new Proxy(browserMemory, {
    construct(target, [descriptor]: [WebAssembly.MemoryDescriptor]) {
      if (descriptor.initial * 65_536 > most) throw new RangeError('could not allocate memory');
      return new target(descriptor);
    },
  });
}

afterEach(() => {
  WebAssembly.Memory = browserMemory;
  for (const pool of pools.splice(0)) pool.terminate();
});

test('memory that the browser refuses shortens the sweep, and the samples say so', async () => {
  refuseBeyond(10 * mebibyte);
  const largest = 32 * mebibyte;
  const settings = { ...cpuProfiles.quick, smallestPerThread: mebibyte, largest, ratio: 2 };
  const profile = fitToClock(settings, 5e-6);
  const pool = await onePool();
  const team = await pool.gather(1, largest, mebibyte);
  expect(team.dataSize).toBe(8 * mebibyte);
  const samples: Sample[] = [];
  const progress = new Progress(1, () => {});
  await probeBandwidth(team, { profile, progress, tell: (sample) => samples.push(sample) });
  const sizes = samples.flatMap(({ measured }) =>
    measured.kind === 'bandwidth' ? [measured.workingSetSize] : [],
  );
  expect(Math.max(...sizes)).toBe(8 * mebibyte);
  expect(samples.every((sample) => sample.flags.includes(flags.bufferLimit))).toBe(true);
});

test('a browser that refuses even the least memory is told as out of memory', async () => {
  refuseBeyond(mebibyte);
  const pool = await onePool();
  await expect(pool.gather(1, 32 * mebibyte, mebibyte)).rejects.toMatchObject({
    fault: { kind: 'out-of-memory' },
  });
});

test('a team that disbands gives its memory back: there is room for far more than fits at once', async () => {
  // Chromium has room for 125 memories of this size.
  const pool = await onePool();
  for (let round = 0; round < 130; round++) {
    const team = await pool.gather(1, 512 * mebibyte, 512 * mebibyte);
    await team.touch(65_536);
    await team.disband();
  }
});
