import type { DeviceKind } from '../run/config.ts';

/** The largest first- and second-level caches of a core in use; larger ones are a third level. */
const largestCaches = [256 * 2 ** 10, 16 * 2 ** 20] as const;

/**
 * Names of levels by their capacities in bytes, innermost first. The last is `memory`. A GPU's caches are `cache 1`, `cache 2`:
 * which they are depends on the vendor. A CPU's are L1, L2, L3 by capacity a thread, each at least
 * one further out than the one before; caches of equal bandwidth are one level and get the name of
 * the outer one.
 */
export function levelNames(
  capacities: readonly (number | undefined)[],
  device: DeviceKind,
  threads: number,
): string[] {
  let outermost = 0;
  return capacities.map((capacity, index) => {
    if (index === capacities.length - 1) return 'memory';
    if (device === 'gpu') return `cache ${index + 1}`;
    outermost = Math.max(outermost + 1, cacheNumber((capacity ?? 0) / threads));
    return `L${outermost}`;
  });
}

function cacheNumber(capacity: number): number {
  return 1 + largestCaches.filter((largest) => capacity > largest).length;
}
