import { storeFirst } from './lanes';

const FLOAT: usize = 4;

/**
 * target[i] = sum of the `count` slices of `slices`, each `pitch` bytes after the one before, for
 * i < length, in order.
 */
export function sumSlices(
  slices: usize,
  count: i32,
  pitch: usize,
  target: usize,
  length: i32,
): void {
  for (let i = 0; i < length; i += 4) {
    let sum = v128.load(slices);
    let slice = slices;
    for (let at = 1; at < count; at++) {
      slice += pitch;
      sum = f32x4.add(sum, v128.load(slice));
    }
    storeFirst(target, 0, sum, min(4, length - i));
    slices += 4 * FLOAT;
    target += 4 * FLOAT;
  }
}

/**
 * The weighted sum of the replicas' gradients, in their order, written back to each: `length` elements
 * at `gradients`, replica after replica `pitch` bytes apart, `shares` their weights as f32.
 */
export function averageReplicas(
  gradients: usize,
  replicas: i32,
  pitch: usize,
  shares: usize,
  length: i32,
): void {
  for (let i = 0; i < length; i += 4) {
    let sum = f32x4.mul(v128.load(gradients), v128.load32_splat(shares));
    for (let replica = 1; replica < replicas; replica++) {
      const gradient = v128.load(gradients + <usize>replica * pitch);
      const share = v128.load32_splat(shares + <usize>replica * FLOAT);
      sum = f32x4.add(sum, f32x4.mul(gradient, share));
    }
    for (let replica = 0; replica < replicas; replica++)
      v128.store(gradients + <usize>replica * pitch, sum);
    gradients += 4 * FLOAT;
  }
}
