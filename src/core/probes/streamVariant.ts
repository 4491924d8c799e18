import type { Measured } from '../roofline/sample.ts';
import { alongValues, type Move } from './race.ts';

export type StreamPattern = Extract<Measured, { kind: 'bandwidth' }>['pattern'];

/** Arrays of equal size that a pattern moves; each pass loads or stores every element of each once. */
export const streamArrays = { read: 1, write: 1, copy: 2, triad: 3 } as const satisfies Record<
  StreamPattern,
  number
>;

/** What one load or store of a lane moves, in bytes. A matrix is a cache line. */
export const elementSizes = { u32: 4, 'vec4<u32>': 16, 'mat4x4<f32>': 64 } as const;

export type StreamElement = keyof typeof elementSizes;

/** One shape of a bandwidth probe on the GPU. */
export interface StreamVariant {
  readonly pattern: StreamPattern;
  readonly element: StreamElement;
  /** Elements of a lane in flight at once, a workgroup's width apart. */
  readonly unroll: number;
  readonly workgroupSize: number;
}

/** How a working set is shared out. */
export interface StreamShape {
  readonly workgroups: number;
  /** Elements of each array that a workgroup moves in a pass. */
  readonly share: number;
  /** A workgroup's next share is so many shares on. */
  readonly stride: number;
}

/** The variants that a pattern's race begins with. */
export function streamOpenings(pattern: StreamPattern): readonly [StreamVariant, StreamVariant] {
  const base = { pattern, unroll: 1, workgroupSize: 64 };
  return [
    { ...base, element: 'vec4<u32>' },
    { ...base, element: 'mat4x4<f32>' },
  ];
}

export function streamMoves(mostWorkgroupSize: number): Move<StreamVariant>[] {
  return [
    ...alongValues<StreamVariant, 'unroll'>('unroll', [1, 2, 4, 8]),
    ...alongValues<StreamVariant, 'workgroupSize'>(
      'workgroupSize',
      [32, 64, 128, 256],
      ({ workgroupSize }) => workgroupSize <= mostWorkgroupSize,
    ),
    ...alongValues<StreamVariant, 'element'>('element', ['u32', 'vec4<u32>', 'mat4x4<f32>']),
  ];
}

export function describeStreamVariant({ element, unroll, workgroupSize }: StreamVariant): string {
  return `${element}, ${unroll} in flight, workgroups of ${workgroupSize}`;
}

/**
 * Shares an array of about `arraySize` bytes out: whole trips of every lane, at least one, to a power
 * of two of workgroups up to `mostWorkgroups`. Odd numbers of workgroups would leave cores idle.
 */
export function streamShape(
  variant: StreamVariant,
  arraySize: number,
  mostWorkgroups: number,
): StreamShape {
  const trips = Math.max(1, Math.floor(arraySize / arrayTripSize(variant)));
  const workgroups = 2 ** Math.floor(Math.log2(Math.min(trips, mostWorkgroups)));
  const tripsEach = Math.floor(trips / workgroups);
  return {
    workgroups,
    share: tripsEach * variant.unroll * variant.workgroupSize,
    stride: goldenStride(workgroups),
  };
}

/**
 * About 0.618 of a power of two, and odd. Devices with few cores run workgroups one after the other:
 * were the next share the neighbour's, it would still be in cache when the neighbour starts. By the
 * golden ratio the visits to a share lie evenly apart, about a whole working set from each other.
 */
function goldenStride(workgroups: number): number {
  return Math.floor((workgroups * 0.6180339887498949) / 2) * 2 + 1;
}

/** Bytes of an array that one workgroup moves in one trip of its loop. */
export function arrayTripSize({ element, unroll, workgroupSize }: StreamVariant): number {
  return elementSizes[element] * unroll * workgroupSize;
}

/** Bytes of each array. */
export function arraySizeOf(
  variant: StreamVariant,
  { workgroups, share }: Pick<StreamShape, 'workgroups' | 'share'>,
): number {
  return workgroups * share * elementSizes[variant.element];
}

/** Bytes of all arrays, which are also the bytes that one pass loads and stores. */
export function workingSetOf(variant: StreamVariant, shape: StreamShape): number {
  return streamArrays[variant.pattern] * arraySizeOf(variant, shape);
}
