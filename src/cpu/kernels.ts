import { functionName, type ComputeVariant } from '../core/probes/cpuKernels.ts';
import type { TrainingFunctions } from './train/functions.ts';

/** Arithmetic chains: `trips` segments on the state at `state`. */
export type ChainFunction = (state: number, trips: number) => void;

/** Loads and arithmetic on whole groups of lines: `steps` on each, sums added to those at `state`. */
export type MixedFunction = (base: number, size: number, steps: number, state: number) => void;

/** The WASM functions of wasm/assembly/probe on data in memory. Addresses and sizes in bytes. */
export interface StreamFunctions {
  read(base: number, size: number, passes: number, sums: number): void;
  write(base: number, size: number, passes: number, value: number): void;
  writeBulk(base: number, size: number, passes: number, byte: number): void;
  copy(base: number, size: number, passes: number): void;
  copyBulk(base: number, size: number, passes: number): void;
  triad(base: number, size: number, passes: number, scale: number): void;
  linkChase(base: number, size: number, generator: number, scratch: number): void;
  chase(start: number, loads: number): number;
  randomFill(base: number, size: number, state: number, sums: number): void;
}

/** An instance of the module over one memory. */
export class Kernels {
  readonly memory: WebAssembly.Memory;
  readonly streams: StreamFunctions;
  readonly training: TrainingFunctions;
  readonly #exports: WebAssembly.Exports;

  private constructor(instance: WebAssembly.Instance, memory: WebAssembly.Memory) {
    this.memory = memory;
    this.#exports = instance.exports;
    this.streams = instance.exports as unknown as StreamFunctions;
    this.training = instance.exports as unknown as TrainingFunctions;
  }

  static async instantiate(
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
  ): Promise<Kernels> {
    return new Kernels(await WebAssembly.instantiate(module, { env: { memory } }), memory);
  }

  /** Throws where the module's build lacks the variant. */
  chains(variant: ComputeVariant): ChainFunction {
    return this.#function(functionName(variant)) as ChainFunction;
  }

  /** Likewise. */
  mixed(name: string): MixedFunction {
    return this.#function(name) as MixedFunction;
  }

  #function(name: string): unknown {
    const found = this.#exports[name];
    if (typeof found !== 'function') throw new Error(`the WASM module has no ${name}`);
    return found;
  }
}
