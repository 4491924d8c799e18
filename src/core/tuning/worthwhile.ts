import type { Ranked } from './successiveHalving.ts';

/** Times of a race scatter by a few percent: a smaller lead would make another choice in every run. */
const leastLead = 1.05;

/**
 * The winner of a race, fastest first, unless it leads the default candidate by less than timings
 * scatter: then the default one. A default without a time leads nothing.
 */
export function worthwhile<V>(ranked: readonly Ranked<V>[], standard: Ranked<V>): Ranked<V> {
  const fastest = ranked[0] ?? standard;
  return standard.seconds < leastLead * fastest.seconds ? standard : fastest;
}
