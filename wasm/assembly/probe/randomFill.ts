/**
 * Writes incompressible f32 data: random sign and mantissa, exponent that of [1, 2), so never NaN
 * nor denormal. Each lane is a xorshift32 generator whose state is read from and left at `state`;
 * what was written is added to the four i32 sums at `sums`, modulo 2^32.
 */
export function randomFill(base: usize, size: usize, state: usize, sums: usize): void {
  const keep = i32x4.splat(0x807fffff);
  const exponent = i32x4.splat(0x3f800000);
  const end = base + size;
  let x = v128.load(state);
  let sum = v128.load(sums);
  for (let p = base; p < end; p += 16) {
    x = v128.xor(x, i32x4.shl(x, 13));
    x = v128.xor(x, i32x4.shr_u(x, 17));
    x = v128.xor(x, i32x4.shl(x, 5));
    const word = v128.or(v128.and(x, keep), exponent);
    v128.store(p, word);
    sum = i32x4.add(sum, word);
  }
  v128.store(state, x);
  v128.store(sums, sum);
}
