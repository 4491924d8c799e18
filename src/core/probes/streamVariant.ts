import { alongValues, type Move } from './race.ts';

/** What one load and store of a lane moves. A matrix is 64 consecutive bytes: a cache line. */
export const streamElements = {
  'vec4<u32>': { size: 16 },
  'mat4x4<f32>': { size: 64 },
} as const satisfies Record<string, { readonly size: number }>;

export type StreamElement = keyof typeof streamElements;

/** One shape of a bandwidth probe on the GPU. */
export interface StreamVariant {
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

export const streamOpenings: readonly [StreamVariant, ...StreamVariant[]] = [
  { element: 'vec4<u32>', unroll: 1, workgroupSize: 64 },
  { element: 'mat4x4<f32>', unroll: 1, workgroupSize: 64 },
];

export function streamMoves(mostWorkgroupSize: number): Move<StreamVariant>[] {
  return [
    ...alongValues<StreamVariant, 'unroll'>('unroll', [1, 2, 4, 8]),
    ...alongValues<StreamVariant, 'workgroupSize'>(
      'workgroupSize',
      [32, 64, 128, 256],
      ({ workgroupSize }) => workgroupSize <= mostWorkgroupSize,
    ),
    ...alongValues<StreamVariant, 'element'>('element', ['vec4<u32>', 'mat4x4<f32>']),
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
  return streamElements[element].size * unroll * workgroupSize;
}

/** Bytes of each array. */
export function arraySizeOf(
  variant: StreamVariant,
  { workgroups, share }: Pick<StreamShape, 'workgroups' | 'share'>,
): number {
  return workgroups * share * streamElements[variant.element].size;
}
