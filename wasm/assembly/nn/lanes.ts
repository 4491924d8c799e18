/** Stores the first `count` (1 to 8) f32 lanes of two vectors, plus those at `addend` where it is not 0. */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
export function storeLanes(target: usize, addend: usize, low: v128, high: v128, count: i32): void {
  if (count == 8) {
    if (addend) {
      low = f32x4.add(low, v128.load(addend, 0));
      high = f32x4.add(high, v128.load(addend, 16));
    }
    v128.store(target, low, 0);
    v128.store(target, high, 16);
  } else {
    storeFirst(target, addend, low, min(4, count));
    if (count > 4) storeFirst(target + 16, addend ? addend + 16 : 0, high, count - 4);
  }
}

/** Stores the first `count` (1 to 4) lanes of a vector, plus those at `addend` where it is not 0. */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
export function storeFirst(target: usize, addend: usize, value: v128, count: i32): void {
  if (addend) value = f32x4.add(value, v128.load(addend));
  if (count == 4) {
    v128.store(target, value);
    return;
  }
  v128.store32_lane(target, value, 0);
  if (count > 1) v128.store32_lane(target, value, 1, 4);
  if (count > 2) v128.store32_lane(target, value, 2, 8);
}
