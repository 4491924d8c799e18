/** A step from one variant to a neighbour in one dimension; undefined where there is none. */
export type Move<V> = (variant: V) => V | undefined;

/**
 * Coordinate descent over variants: first the openings, then from the best so far along each move
 * for as long as it gains, until no move gains or `limit` variants were tried. Yields each variant
 * to measure, once, and takes its score (higher is better; 0 for one that failed). Returns the
 * tried variants, best first.
 */
export function* coordinateDescent<V>(
  openings: readonly V[],
  moves: readonly Move<V>[],
  limit: number,
): Generator<V, V[], number> {
  const scores = new Map<string, { readonly variant: V; readonly score: number }>();

  function* tried(variant: V): Generator<V, number, number> {
    const key = JSON.stringify(variant);
    const known = scores.get(key);
    if (known) return known.score;
    if (scores.size >= limit) return 0;
    const score = yield variant;
    scores.set(key, { variant, score });
    return score;
  }
  const ranked = () => [...scores.values()].toSorted((a, b) => b.score - a.score);

  for (const opening of openings) yield* tried(opening);
  for (let gained = true; gained;) {
    gained = false;
    for (const move of moves) {
      let best = ranked()[0];
      let next = best && move(best.variant);
      while (best && next && (yield* tried(next)) > best.score) {
        gained = true;
        best = ranked()[0];
        next = best && move(best.variant);
      }
    }
  }
  return ranked().map(({ variant }) => variant);
}

/** The two moves along one dimension whose values are ordered. */
export function alongValues<V, K extends keyof V>(
  dimension: K,
  values: readonly V[K][],
  isAllowed: (variant: V) => boolean = () => true,
): Move<V>[] {
  return [1, -1].map((step) => (variant) => {
    const value = values[values.indexOf(variant[dimension]) + step];
    if (value === undefined) return undefined;
    const moved = { ...variant, [dimension]: value };
    return isAllowed(moved) ? moved : undefined;
  });
}

/** The fastest of a few candidates, tried one after the other, and its rate; the first where none has any. */
export async function fastestOf<V>(
  candidates: readonly [V, ...V[]],
  rateOf: (candidate: V) => Promise<number>,
): Promise<{ readonly variant: V; readonly rate: number }> {
  let best = { variant: candidates[0], rate: 0 };
  for (const variant of candidates) {
    const rate = await rateOf(variant);
    if (rate > best.rate) best = { variant, rate };
  }
  return best;
}
