/** A candidate and the least time that was measured for it; Infinity where there is none. */
export interface Ranked<V> {
  readonly candidate: V;
  readonly seconds: number;
}

/**
 * Successive halving: each round times every survivor once more, and the faster half of them goes
 * on, until one is left or `mayGoOn` says that the budget is spent. Yields each candidate to time
 * and takes its seconds (Infinity for one that failed). A candidate counts by its least time: what
 * else the machine does can only add. Returns all candidates, fastest first; those that were never
 * timed come last, in their order. The first candidate is timed in any case.
 *
 * Source: Jamieson and Talwalkar, Non-stochastic best arm identification and hyperparameter
 * optimization, 2016 (arXiv:1502.07943).
 */
export function* successiveHalving<V>(
  candidates: readonly V[],
  mayGoOn: () => boolean,
): Generator<V, readonly Ranked<V>[], number> {
  let ranked: Ranked<V>[] = candidates.map((candidate) => ({ candidate, seconds: Infinity }));
  for (let survivors = ranked.length; survivors > 0; survivors = nextRound(survivors)) {
    const timed = ranked.slice(0, survivors);
    for (const [at, { candidate, seconds }] of timed.entries()) {
      const isFirst = seconds === Infinity && at === 0;
      if (isFirst || mayGoOn())
        timed[at] = { candidate, seconds: Math.min(seconds, yield candidate) };
    }
    ranked = [...timed, ...ranked.slice(survivors)].toSorted(bySeconds);
  }
  return ranked;
}

/** Half of them, and none after the last round, in which two are left. */
function nextRound(survivors: number): number {
  return survivors <= 2 ? 0 : Math.ceil(survivors / 2);
}

/** Two that were never timed keep their order. */
function bySeconds(a: Ranked<unknown>, b: Ranked<unknown>): number {
  return a.seconds === b.seconds ? 0 : a.seconds - b.seconds;
}
