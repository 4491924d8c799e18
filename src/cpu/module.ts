import type { CpuEnvironment } from '../core/run/events.ts';
import { CpuFault, cpuFault } from './faults.ts';

export type ModuleBuild = CpuEnvironment['module'];

/** The compiled kernels and which of the two builds they are. */
export interface LoadedModule {
  readonly module: WebAssembly.Module;
  readonly build: ModuleBuild;
}

/** Best first. Each build exists for a page's own memory and for memory shared by threads. */
const builds = [
  {
    build: 'relaxed-simd',
    own: new URL('../../wasm/build/relaxed-simd.wasm', import.meta.url),
    shared: new URL('../../wasm/build/relaxed-simd-shared.wasm', import.meta.url),
  },
  {
    build: 'simd',
    own: new URL('../../wasm/build/simd.wasm', import.meta.url),
    shared: new URL('../../wasm/build/simd-shared.wasm', import.meta.url),
  },
] as const;

export const moduleBuilds: readonly ModuleBuild[] = builds.map(({ build }) => build);

/**
 * Loads the best build that this engine validates: some engines refuse a module with one relaxed
 * instruction whole. Throws a `CpuFault` where none is valid (no SIMD) or one cannot be fetched.
 * `allowed` leaves builds out.
 */
export async function loadModule(
  sharedMemory: boolean,
  allowed: readonly ModuleBuild[] = moduleBuilds,
): Promise<LoadedModule> {
  for (const { build, own, shared } of builds) {
    if (!allowed.includes(build)) continue;
    const bytes = await fetchBytes(sharedMemory ? shared : own);
    if (WebAssembly.validate(bytes)) return { module: await WebAssembly.compile(bytes), build };
  }
  throw new CpuFault(cpuFault('unsupported', 'WebAssembly.validate refused every build'));
}

async function fetchBytes(url: URL): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return await response.arrayBuffer();
  } catch (error) {
    throw new CpuFault(cpuFault('data', `${url.href}: ${String(error)}`));
  }
}
