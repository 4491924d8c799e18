import type { Roofline } from '../../core/roofline/types.ts';
import { panelSize } from './convolution.ts';

/** Bytes of a core's own caches, for which convolutions are cut. */
export interface CacheSizes {
  readonly l1: number;
  readonly l2: number;
}

/** Of most cores that browsers run on, where nothing was measured. */
export const usualCaches: CacheSizes = { l1: 2 ** 15, l2: 2 ** 20 };

/** The measured sizes of one thread's caches; the usual one of a level that was not told apart. */
export function cachesOf(rooflines: readonly Roofline[]): CacheSizes {
  const alone = rooflines.find(({ device, threads }) => device === 'cpu' && threads === 1);
  const sizeOf = (name: string) =>
    alone?.bandwidth.find(({ level }) => level === name)?.capacityBytes;
  return { l1: sizeOf('L1') ?? usualCaches.l1, l2: sizeOf('L2') ?? usualCaches.l2 };
}

/** More pixels than this use packed weights no better. */
const mostPixels = 256;
/** Fewer leave too little work to a tile: eight register blocks. */
const leastPixels = 48;
/** What may be kept in a cache: more passes through it. */
const share = 0.5;

/** Rows of a panel of packed weights that stay in the L1 while a tile's pixels pass them. */
export function cachedRows({ l1 }: CacheSizes): number {
  return Math.floor((share * l1) / panelSize(1));
}

/**
 * Pixels of a convolution's tile: as many as fit the L2, each with the inputs that it meets and its
 * outputs (`pixelSize` bytes), beside a panel of packed weights (`weightsSize` bytes).
 */
export function tilePixels({ l2 }: CacheSizes, pixelSize: number, weightsSize: number): number {
  const fitting = Math.floor((share * l2 - weightsSize) / pixelSize);
  return Math.max(leastPixels, Math.min(mostPixels, fitting));
}
