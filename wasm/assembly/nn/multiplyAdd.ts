/** x * y + sum in f32 lanes: fused in the relaxed build where the machine can, else rounded twice. */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
export function multiplyAdd(x: v128, y: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(x, y, sum);
  return f32x4.add(f32x4.mul(x, y), sum);
}
