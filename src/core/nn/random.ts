/**
 * The generator of the golden files: s <- (1664525 s + 1013904223) mod 2^32, u = s / 2^32.
 * Gives u in [0, 1), exactly: the product stays below 2^53.
 */
export function linearCongruential(seed: number): () => number {
  let state = seed;
  return () => {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
