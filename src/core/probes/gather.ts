import { patternWord } from './streamData.ts';

/** How single words are gathered. */
export interface GatherShape {
  readonly order: 'strided' | 'random';
  /** Loads of a lane in flight at once. */
  readonly unroll: number;
  readonly lanes: number;
  /** Words of the source, a power of two. */
  readonly length: number;
}

/** Words from one strided load to the next: no two in one cache line of 128 bytes. */
export const gatherStride = 32;
/** Words further on that the next round through the source begins: in the other half of the lines. */
const roundStep = 17;

/** The word that a load takes; shaders/probe/place-*.wgsl say the same. */
export function gatherPlace({ order, length }: GatherShape, index: number): number {
  switch (order) {
    case 'strided': {
      const lines = length / gatherStride;
      const round = Math.floor(index / lines);
      return (index % lines) * gatherStride + ((roundStep * round) % gatherStride);
    }
    case 'random': {
      let mixed = Math.imul(index ^ (index >>> 16), 0x7feb352d);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
      return ((mixed ^ (mixed >>> 16)) & (length - 1)) >>> 0;
    }
  }
}

/** What so many passes from the first on make of a lane's word, modulo 2^32: all loads, in order. */
export function gatherSum(
  shape: GatherShape,
  lane: number,
  { first, passes }: { readonly first: number; readonly passes: number },
): number {
  const { unroll, lanes } = shape;
  let sum = 0;
  for (let load = first * unroll; load < (first + passes) * unroll; load++) {
    const index = (lane + Math.imul(load, lanes)) >>> 0;
    sum = (Math.imul(sum, 5) + patternWord(gatherPlace(shape, index))) | 0;
  }
  return sum >>> 0;
}
