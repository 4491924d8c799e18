import type { Measured } from '../roofline/sample.ts';

export type StreamPattern = Extract<Measured, { kind: 'bandwidth' }>['pattern'];

/** A way to stream through memory. */
export interface Stream {
  readonly pattern: StreamPattern;
  /** The code in words, for samples. */
  readonly variant: string;
  /** Arrays of equal size that follow each other; each pass moves every byte of each once. */
  readonly arrays: number;
}

export type StreamName = 'read' | 'copy' | 'copyBulk' | 'triad' | 'write' | 'writeBulk';

/** By WASM function, in the order of the sweeps: reads come before anything changes the data. */
export const streams: Readonly<Record<StreamName, Stream>> = {
  read: { pattern: 'read', variant: '128-bit loads, summed', arrays: 1 },
  copy: { pattern: 'copy', variant: '128-bit loads and stores', arrays: 2 },
  copyBulk: { pattern: 'copy', variant: 'memory.copy', arrays: 2 },
  triad: { pattern: 'triad', variant: '128-bit f32 a = b + s*c', arrays: 3 },
  write: { pattern: 'write', variant: '128-bit stores', arrays: 1 },
  writeBulk: { pattern: 'write', variant: 'memory.fill', arrays: 1 },
};

export const streamNames = Object.keys(streams) as readonly StreamName[];

/** Arrays are whole iterations of the kernels, which take 128 bytes of each array. */
const granule = 128;

/** Bytes of each array of a stream whose arrays together have at most `size` bytes. */
export function arraySize({ arrays }: Stream, size: number): number {
  return Math.floor(size / arrays / granule) * granule;
}
