// Independent chains of arithmetic that keep every pipe of a core busy. One generic source: in the
// exported wrappers `form`, `rounding` and `count` are constants, so that what is left after inlining
// is a loop over `count` live values: vectors of `T` lanes or, where V is f32, scalars.
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
function seeded<V>(chain: usize, count: i32, row: usize): V {
  return load<V>(row + (<i32>chain < count ? chain * 16 : 0));
}

/**
 * One step. With two roundings (x + b)*a or x*x + b, with one x*a + b or x*x + b; where T is i8,
 * x plus the dot products of the bytes of x and a in each i32 lane.
 */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function step<V, T>(chain: i32, count: i32, form: i32, rounding: i32, x: V, a: V, b: V): V {
  if (chain >= count) return x;
  if (isVector<V>()) return <V>vectorStep<T>(form, rounding, <v128>x, <v128>a, <v128>b);
  return <V>scalarStep(form, <f32>x, <f32>a, <f32>b);
}

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function scalarStep(form: i32, x: f32, a: f32, b: f32): f32 {
  return form == AFFINE ? (x + b) * a : x * x + b;
}

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
export function vectorStep<T>(form: i32, rounding: i32, x: v128, a: v128, b: v128): v128 {
  if (sizeof<T>() == 1) return i32x4.relaxed_dot_i8x16_i7x16_add_s(x, a, x);
  if (ASC_FEATURE_RELAXED_SIMD && isFloat<T>()) {
    if (rounding == FUSED) return v128.relaxed_madd<T>(x, form == AFFINE ? a : x, b);
  }
  if (form == AFFINE) return v128.mul<T>(v128.add<T>(x, b), a);
  return v128.add<T>(v128.mul<T>(x, x), b);
}

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function accumulate<V>(chain: usize, count: i32, sums: usize, x: V): void {
  if (<i32>chain >= count) return;
  const at = sums + chain * 16;
  if (isVector<V>()) v128.store(at, i32x4.add(v128.load(at), <v128>x));
  else store<i32>(at, load<i32>(at) + reinterpret<i32>(<f32>x));
}

/** Runs `trips` segments of 128 steps, each from its own seeds, on `count` chains (at most 14). */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
export function chains<V, T>(form: i32, rounding: i32, count: i32, state: usize, trips: i32): void {
  const a = load<V>(state);
  const b = load<V>(state, 16);
  const sums = state + SUMS;
  for (let trip = 0; trip < trips; trip++) {
    const row = state + SEEDS + <usize>(trip & 7) * ROW_SIZE;
    let x0 = seeded<V>(0, count, row);
    let x1 = seeded<V>(1, count, row);
    let x2 = seeded<V>(2, count, row);
    let x3 = seeded<V>(3, count, row);
    let x4 = seeded<V>(4, count, row);
    let x5 = seeded<V>(5, count, row);
    let x6 = seeded<V>(6, count, row);
    let x7 = seeded<V>(7, count, row);
    let x8 = seeded<V>(8, count, row);
    let x9 = seeded<V>(9, count, row);
    let x10 = seeded<V>(10, count, row);
    let x11 = seeded<V>(11, count, row);
    let x12 = seeded<V>(12, count, row);
    let x13 = seeded<V>(13, count, row);
    for (let i = 0; i < STEPS_PER_SEGMENT / STEPS_PER_ITERATION; i++) {
      x0 = step<V, T>(0, count, form, rounding, x0, a, b);
      x1 = step<V, T>(1, count, form, rounding, x1, a, b);
      x2 = step<V, T>(2, count, form, rounding, x2, a, b);
      x3 = step<V, T>(3, count, form, rounding, x3, a, b);
      x4 = step<V, T>(4, count, form, rounding, x4, a, b);
      x5 = step<V, T>(5, count, form, rounding, x5, a, b);
      x6 = step<V, T>(6, count, form, rounding, x6, a, b);
      x7 = step<V, T>(7, count, form, rounding, x7, a, b);
      x8 = step<V, T>(8, count, form, rounding, x8, a, b);
      x9 = step<V, T>(9, count, form, rounding, x9, a, b);
      x10 = step<V, T>(10, count, form, rounding, x10, a, b);
      x11 = step<V, T>(11, count, form, rounding, x11, a, b);
      x12 = step<V, T>(12, count, form, rounding, x12, a, b);
      x13 = step<V, T>(13, count, form, rounding, x13, a, b);
      x0 = step<V, T>(0, count, form, rounding, x0, a, b);
      x1 = step<V, T>(1, count, form, rounding, x1, a, b);
      x2 = step<V, T>(2, count, form, rounding, x2, a, b);
      x3 = step<V, T>(3, count, form, rounding, x3, a, b);
      x4 = step<V, T>(4, count, form, rounding, x4, a, b);
      x5 = step<V, T>(5, count, form, rounding, x5, a, b);
      x6 = step<V, T>(6, count, form, rounding, x6, a, b);
      x7 = step<V, T>(7, count, form, rounding, x7, a, b);
      x8 = step<V, T>(8, count, form, rounding, x8, a, b);
      x9 = step<V, T>(9, count, form, rounding, x9, a, b);
      x10 = step<V, T>(10, count, form, rounding, x10, a, b);
      x11 = step<V, T>(11, count, form, rounding, x11, a, b);
      x12 = step<V, T>(12, count, form, rounding, x12, a, b);
      x13 = step<V, T>(13, count, form, rounding, x13, a, b);
    }
    accumulate<V>(0, count, sums, x0);
    accumulate<V>(1, count, sums, x1);
    accumulate<V>(2, count, sums, x2);
    accumulate<V>(3, count, sums, x3);
    accumulate<V>(4, count, sums, x4);
    accumulate<V>(5, count, sums, x5);
    accumulate<V>(6, count, sums, x6);
    accumulate<V>(7, count, sums, x7);
    accumulate<V>(8, count, sums, x8);
    accumulate<V>(9, count, sums, x9);
    accumulate<V>(10, count, sums, x10);
    accumulate<V>(11, count, sums, x11);
    accumulate<V>(12, count, sums, x12);
    accumulate<V>(13, count, sums, x13);
  }
}
