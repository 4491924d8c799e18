import { wrap } from 'comlink';
import { loadModule, type ModuleBuild } from '../../src/cpu/module.ts';
import { Pool, type ThreadWorker } from '../../src/cpu/pool.ts';
import type { CpuThread } from '../../src/cpu/thread.ts';

/** A thread of a page's own. */
export function spawnThread(): ThreadWorker {
  const url = new URL('../../src/workers/cpu-thread.worker.ts', import.meta.url);
  const worker = new Worker(url, { type: 'module' });
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
  });
  return { client: wrap<CpuThread>(worker), failed, terminate: () => worker.terminate() };
}

/** So many threads with one build of the module, on shared memory or each on its own. */
export async function openPool(
  length: number,
  build: ModuleBuild,
  sharedMemory: boolean,
  signal = new AbortController().signal,
): Promise<Pool> {
  const { module } = await loadModule(sharedMemory, [build]);
  return new Pool(Array.from({ length }, spawnThread), module, sharedMemory, signal);
}
