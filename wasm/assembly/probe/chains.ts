// Independent chains of arithmetic that keep every SIMD pipe of a core busy. One generic source: in
// the exported wrappers `form`, `rounding` and `count` are constants, so that what is left after
// inlining is a loop over `count` live vectors.
//
// A thread's state, in bytes from its base (src/core/probes/cpuChainState.ts knows the same layout):
//      0  coefficients a and b, one vector each
//     32  seeds: 8 rows (trip modulo 8) of 14 vectors (one a chain)
//   1824  sums of the chains' final bits: 14 vectors of i32 lanes, modulo 2^32

export const AFFINE = 0;
export const QUADRATIC = 1;

export const UNFUSED = 0;
export const FUSED = 1;

const SEEDS: usize = 32;
const ROW_SIZE: usize = 14 * 16;
const SUMS: usize = SEEDS + 8 * ROW_SIZE;
const STEPS_PER_SEGMENT = 128;
const STEPS_PER_ITERATION = 2;

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function seeded(chain: i32, count: i32, row: usize): v128 {
  return chain < count ? v128.load(row + chain * 16) : i32x4.splat(0);
}

/** One step: x*a + b or x*x + b with one rounding; (x + b)*a or x*x + b with two. */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function step<T>(chain: i32, count: i32, form: i32, rounding: i32, x: v128, a: v128, b: v128): v128 {
  if (chain >= count) return x;
  if (ASC_FEATURE_RELAXED_SIMD) {
    if (rounding == FUSED) return v128.relaxed_madd<T>(x, form == AFFINE ? a : x, b);
  }
  if (form == AFFINE) return v128.mul<T>(v128.add<T>(x, b), a);
  return v128.add<T>(v128.mul<T>(x, x), b);
}

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function accumulate(chain: i32, count: i32, sums: usize, x: v128): void {
  if (chain >= count) return;
  const at = sums + chain * 16;
  v128.store(at, i32x4.add(v128.load(at), x));
}

/** Runs `trips` segments of 128 steps, each from its own seeds, on `count` chains (at most 14). */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
export function chains<T>(form: i32, rounding: i32, count: i32, state: usize, trips: i32): void {
  const a = v128.load(state);
  const b = v128.load(state, 16);
  const sums = state + SUMS;
  for (let trip = 0; trip < trips; trip++) {
    const row = state + SEEDS + <usize>(trip & 7) * ROW_SIZE;
    let x0 = seeded(0, count, row);
    let x1 = seeded(1, count, row);
    let x2 = seeded(2, count, row);
    let x3 = seeded(3, count, row);
    let x4 = seeded(4, count, row);
    let x5 = seeded(5, count, row);
    let x6 = seeded(6, count, row);
    let x7 = seeded(7, count, row);
    let x8 = seeded(8, count, row);
    let x9 = seeded(9, count, row);
    let x10 = seeded(10, count, row);
    let x11 = seeded(11, count, row);
    let x12 = seeded(12, count, row);
    let x13 = seeded(13, count, row);
    for (let i = 0; i < STEPS_PER_SEGMENT / STEPS_PER_ITERATION; i++) {
      x0 = step<T>(0, count, form, rounding, x0, a, b);
      x1 = step<T>(1, count, form, rounding, x1, a, b);
      x2 = step<T>(2, count, form, rounding, x2, a, b);
      x3 = step<T>(3, count, form, rounding, x3, a, b);
      x4 = step<T>(4, count, form, rounding, x4, a, b);
      x5 = step<T>(5, count, form, rounding, x5, a, b);
      x6 = step<T>(6, count, form, rounding, x6, a, b);
      x7 = step<T>(7, count, form, rounding, x7, a, b);
      x8 = step<T>(8, count, form, rounding, x8, a, b);
      x9 = step<T>(9, count, form, rounding, x9, a, b);
      x10 = step<T>(10, count, form, rounding, x10, a, b);
      x11 = step<T>(11, count, form, rounding, x11, a, b);
      x12 = step<T>(12, count, form, rounding, x12, a, b);
      x13 = step<T>(13, count, form, rounding, x13, a, b);
      x0 = step<T>(0, count, form, rounding, x0, a, b);
      x1 = step<T>(1, count, form, rounding, x1, a, b);
      x2 = step<T>(2, count, form, rounding, x2, a, b);
      x3 = step<T>(3, count, form, rounding, x3, a, b);
      x4 = step<T>(4, count, form, rounding, x4, a, b);
      x5 = step<T>(5, count, form, rounding, x5, a, b);
      x6 = step<T>(6, count, form, rounding, x6, a, b);
      x7 = step<T>(7, count, form, rounding, x7, a, b);
      x8 = step<T>(8, count, form, rounding, x8, a, b);
      x9 = step<T>(9, count, form, rounding, x9, a, b);
      x10 = step<T>(10, count, form, rounding, x10, a, b);
      x11 = step<T>(11, count, form, rounding, x11, a, b);
      x12 = step<T>(12, count, form, rounding, x12, a, b);
      x13 = step<T>(13, count, form, rounding, x13, a, b);
    }
    accumulate(0, count, sums, x0);
    accumulate(1, count, sums, x1);
    accumulate(2, count, sums, x2);
    accumulate(3, count, sums, x3);
    accumulate(4, count, sums, x4);
    accumulate(5, count, sums, x5);
    accumulate(6, count, sums, x6);
    accumulate(7, count, sums, x7);
    accumulate(8, count, sums, x8);
    accumulate(9, count, sums, x9);
    accumulate(10, count, sums, x10);
    accumulate(11, count, sums, x11);
    accumulate(12, count, sums, x12);
    accumulate(13, count, sums, x13);
  }
}
