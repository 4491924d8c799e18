/** A curve that is slower than this share of the fastest at both neighbours of a set is left out there. */
const contendingShare = 0.85;

/** Rates by the index of the working set, where measured. */
type Rates = ReadonlyMap<number, number>;

/**
 * Which of several curves may be the fastest at a set that was not measured yet: those that nearly are at
 * a neighbour, and always the one that is fastest on the whole, so that one of them has every set.
 */
export function contendingAt(curves: readonly Rates[], index: number): readonly number[] {
  const standings = curves.map((rates) => standing(rates, curves));
  const leading = standings.indexOf(Math.max(...standings));
  return [...curves.keys()].filter((number) => {
    const rates = curves[number]!;
    const measured = [...rates.keys()].toSorted((a, b) => a - b);
    const neighbours = [
      measured.findLast((other) => other < index),
      measured.find((other) => other > index),
    ].filter((other) => other !== undefined);
    const isNear = neighbours.some((other) => shareAt(rates, curves, other) >= contendingShare);
    return number === leading || isNear;
  });
}

/** How near a curve comes to the fastest, over all sets where it was measured. */
function standing(rates: Rates, curves: readonly Rates[]): number {
  return [...rates.keys()].reduce((sum, index) => sum + shareAt(rates, curves, index), 0);
}

/** A curve's rate at a set over that of the fastest. */
function shareAt(rates: Rates, curves: readonly Rates[], index: number): number {
  const most = Math.max(...curves.map((other) => other.get(index) ?? 0));
  return (rates.get(index) ?? 0) / most;
}
