import { roundUp, wasmPageSize } from '../memory.ts';

/*
 * The memory of a training run: a control page for all threads, one for each replica, a page with the
 * replicas' shares of the batch, and a region for each replica.
 */

const pageSize = 4096;

/** The control page of all threads (0) or of a replica (1 + its number). */
export function controlPage(page: number): number {
  return page * pageSize;
}

/** Where the replicas' shares lie, as f32. */
export function sharesAddress(replicas: number): number {
  return controlPage(1 + replicas);
}

/** Where a replica's region begins. */
export function replicaBase(replicas: number, regionSize: number, replica: number): number {
  return roundUp(sharesAddress(replicas) + pageSize, wasmPageSize) + replica * regionSize;
}

/** Memory for so many replicas; undefined where the browser gives none. */
export function trainingMemory(
  replicas: number,
  regionSize: number,
  shared: boolean,
): WebAssembly.Memory | undefined {
  const size = replicaBase(replicas, regionSize, replicas);
  const pages = roundUp(size, wasmPageSize) / wasmPageSize;
  if (pages > 65_536) return undefined;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
