// Loads and arithmetic in any proportion. Groups of three lines of 64 bytes, four vectors each: the
// first `columns` vectors of every line take `steps` steps of a chain, the others none, and the bits
// of all twelve are added to sums. Twelve chains fill the pipes of a core and fit its registers; two
// steps an iteration save half of the copies that some engines make at its end.

import { AFFINE, vectorStep } from './chains';

const GROUP_SIZE: usize = 3 * 64;
const SUMS: usize = 32;

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function step(column: i32, columns: i32, rounding: i32, x: v128, a: v128, b: v128): v128 {
  return column < columns ? vectorStep<f32>(AFFINE, rounding, x, a, b) : x;
}

/**
 * Works through `size` bytes at `base`, whole groups. At `state`: coefficients a and b, a vector
 * each, and the four i32 sums that the final bits are added to, modulo 2^32.
 */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
export function mixed(
  rounding: i32,
  columns: i32,
  base: usize,
  size: usize,
  steps: i32,
  state: usize,
): void {
  const a = v128.load(state);
  const b = v128.load(state, 16);
  const end = base + size;
  for (let p = base; p < end; p += GROUP_SIZE) {
    let x0 = v128.load(p, 0);
    let x1 = v128.load(p, 16);
    let x2 = v128.load(p, 32);
    let x3 = v128.load(p, 48);
    let x4 = v128.load(p, 64);
    let x5 = v128.load(p, 80);
    let x6 = v128.load(p, 96);
    let x7 = v128.load(p, 112);
    let x8 = v128.load(p, 128);
    let x9 = v128.load(p, 144);
    let x10 = v128.load(p, 160);
    let x11 = v128.load(p, 176);
    for (let i = steps >> 1; i > 0; i--) {
      x0 = step(0, columns, rounding, x0, a, b);
      x1 = step(1, columns, rounding, x1, a, b);
      x2 = step(2, columns, rounding, x2, a, b);
      x3 = step(3, columns, rounding, x3, a, b);
      x4 = step(0, columns, rounding, x4, a, b);
      x5 = step(1, columns, rounding, x5, a, b);
      x6 = step(2, columns, rounding, x6, a, b);
      x7 = step(3, columns, rounding, x7, a, b);
      x8 = step(0, columns, rounding, x8, a, b);
      x9 = step(1, columns, rounding, x9, a, b);
      x10 = step(2, columns, rounding, x10, a, b);
      x11 = step(3, columns, rounding, x11, a, b);
      x0 = step(0, columns, rounding, x0, a, b);
      x1 = step(1, columns, rounding, x1, a, b);
      x2 = step(2, columns, rounding, x2, a, b);
      x3 = step(3, columns, rounding, x3, a, b);
      x4 = step(0, columns, rounding, x4, a, b);
      x5 = step(1, columns, rounding, x5, a, b);
      x6 = step(2, columns, rounding, x6, a, b);
      x7 = step(3, columns, rounding, x7, a, b);
      x8 = step(0, columns, rounding, x8, a, b);
      x9 = step(1, columns, rounding, x9, a, b);
      x10 = step(2, columns, rounding, x10, a, b);
      x11 = step(3, columns, rounding, x11, a, b);
    }
    if (steps & 1) {
      x0 = step(0, columns, rounding, x0, a, b);
      x1 = step(1, columns, rounding, x1, a, b);
      x2 = step(2, columns, rounding, x2, a, b);
      x3 = step(3, columns, rounding, x3, a, b);
      x4 = step(0, columns, rounding, x4, a, b);
      x5 = step(1, columns, rounding, x5, a, b);
      x6 = step(2, columns, rounding, x6, a, b);
      x7 = step(3, columns, rounding, x7, a, b);
      x8 = step(0, columns, rounding, x8, a, b);
      x9 = step(1, columns, rounding, x9, a, b);
      x10 = step(2, columns, rounding, x10, a, b);
      x11 = step(3, columns, rounding, x11, a, b);
    }
    x0 = i32x4.add(i32x4.add(x0, x1), i32x4.add(x2, x3));
    x4 = i32x4.add(i32x4.add(x4, x5), i32x4.add(x6, x7));
    x8 = i32x4.add(i32x4.add(x8, x9), i32x4.add(x10, x11));
    const sum = i32x4.add(i32x4.add(x0, x4), x8);
    v128.store(state + SUMS, i32x4.add(v128.load(state + SUMS), sum));
  }
}
