/**
 * The generator of the golden files: s <- (1664525 s + 1013904223) mod 2^32, u = s / 2^32.
 * Gives u in [0, 1). The product passes 2^53, so it is taken in 32-bit integers, exactly.
 */
export function linearCongruential(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
