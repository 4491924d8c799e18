import { chainStateSize } from '../core/probes/cpuChainState.ts';

/*
 * A team's memory: one page of control words, a page of state for each thread, and the data, which
 * threads share out in equal contiguous parts.
 */

export const wasmPageSize = 65_536;
/** Threads' states lie a page apart, so that no cache line is shared. */
const statePageSize = 4096;

/** Words of the control page, indices of an Int32Array. */
export const controlWords = {
  arrived: 0,
  phase: 16,
  cancelled: 32,
  started: 48,
  finished: 64,
  /** Tiles of a training step that were claimed, of phases by turns. */
  evenTiles: 80,
  oddTiles: 96,
} as const;

/** Where a thread keeps what its kernels read and write besides the data. */
export interface ThreadState {
  /** State of the arithmetic chains. */
  readonly chains: number;
  /** Four i32 sums of what was read. */
  readonly sums: number;
  /** Four i32 sums of what was first written. */
  readonly filled: number;
  /** State of the random generator. */
  readonly generator: number;
  /** The vector that is written. */
  readonly value: number;
  /** Scratch of 64 bytes. */
  readonly scratch: number;
  /** State of the mixed kernel. */
  readonly mixed: number;
  /** The word that wakes the thread. */
  readonly seat: number;
}

export function threadState(index: number): ThreadState {
  const chains = statePageSize * (1 + index);
  const vectors = chains + chainStateSize;
  return {
    chains,
    sums: vectors,
    filled: vectors + 64,
    generator: vectors + 128,
    value: vectors + 192,
    scratch: vectors + 256,
    mixed: vectors + 320,
    seat: vectors + 384,
  };
}

/** Where the data of a team of so many threads starts. */
export function dataOffset(threads: number): number {
  return roundUp(statePageSize * (1 + threads), wasmPageSize);
}

/** A thread's part of the data. */
export function shareOf(dataSize: number, threads: number, index: number) {
  const size = Math.floor(dataSize / threads / statePageSize) * statePageSize;
  return { base: dataOffset(threads) + index * size, size };
}

/** A memory for so many threads, and how much data it really holds. */
export interface Allocation {
  readonly memory: WebAssembly.Memory;
  readonly dataSize: number;
}

/**
 * Allocates memory for `dataSize` bytes of data, or half, or a quarter ... where the browser refuses;
 * undefined where it refuses `leastSize` too.
 */
export function allocate(
  threads: number,
  dataSize: number,
  leastSize: number,
  shared: boolean,
): Allocation | undefined {
  for (let size = dataSize; size >= leastSize; size = Math.floor(size / 2)) {
    const pages = roundUp(dataOffset(threads) + size, wasmPageSize) / wasmPageSize;
    try {
      return {
        memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared }),
        dataSize: size,
      };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

export function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
