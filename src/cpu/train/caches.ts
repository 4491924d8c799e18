import type { Roofline } from '../../core/roofline/types.ts';

/** Bytes of the cache that tiles of convolutions are cut for: a core's own second level. */
export interface CacheSizes {
  readonly l2: number;
}

/** Of most cores that browsers run on, where nothing was measured. */
export const usualCaches: CacheSizes = { l2: 2 ** 20 };

/** The measured sizes of one thread's caches; the usual ones where its L2 was not told apart. */
export function cachesOf(rooflines: readonly Roofline[]): CacheSizes {
  const alone = rooflines.find(({ device, threads }) => device === 'cpu' && threads === 1);
  const l2 = alone?.bandwidth.find(({ level }) => level === 'L2')?.capacityBytes;
  return l2 === undefined ? usualCaches : { l2 };
}

/** More pixels than this use packed weights no better. */
const mostPixels = 256;
/** Fewer leave too little work to a tile: eight register blocks. */
const leastPixels = 48;
/** What a tile may fill of the cache: outputs and the next tile's inputs pass through it too. */
const share = 0.5;

/**
 * Pixels of a convolution's tile: as many as fit the L2, each with the inputs that it meets and its
 * outputs (`pixelSize` bytes), beside a panel of packed weights (`panelSize` bytes).
 */
export function tilePixels({ l2 }: CacheSizes, pixelSize: number, panelSize: number): number {
  const fitting = Math.floor((share * l2 - panelSize) / pixelSize);
  return Math.max(leastPixels, Math.min(mostPixels, fitting));
}
