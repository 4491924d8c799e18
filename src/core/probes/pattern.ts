/**
 * The data that bandwidth probes move: incompressible, never NaN or denormal. Sign and mantissa are
 * random, the exponent is that of [1, 2). The generator is a 32-bit mixing function of the index
 * (two multiplications, three shifts), so that any word can be known without the others.
 * shaders/probe/fill.wgsl says the same.
 */
export function patternWord(index: number): number {
  let mixed = index ^ (index >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  mixed ^= mixed >>> 16;
  return ((mixed & 0x807fffff) | 0x3f800000) >>> 0;
}
