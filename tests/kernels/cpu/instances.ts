import { Kernels } from '../../../src/cpu/kernels.ts';
import { dataOffset, threadState } from '../../../src/cpu/memory.ts';
import { loadModule, type ModuleBuild } from '../../../src/cpu/module.ts';
import { Share } from '../../../src/cpu/probes/share.ts';

export interface Instance {
  readonly kernels: Kernels;
  readonly build: ModuleBuild;
}

/** The kernels on a memory of their own for one thread with so much data. */
export async function instantiate(shared: boolean, dataSize: number): Promise<Instance> {
  const { module, build } = await loadModule(shared);
  const pages = Math.ceil((dataOffset(1) + dataSize) / 65_536);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  return { kernels: await Kernels.instantiate(module, memory), build };
}

/** All data as the share of one thread, not yet written. */
export function shareOfAll(kernels: Kernels, dataSize: number): Share {
  return new Share(kernels, threadState(0), { base: dataOffset(1), size: dataSize }, 0);
}
