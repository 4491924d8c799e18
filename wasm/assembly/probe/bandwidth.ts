// Streams over memory. Every array is a multiple of 128 bytes, every call makes `passes` whole
// passes, and whatever is stored comes from memory or parameters, so that nothing about the data
// is known when the code is compiled. The shapes are those that V8 and SpiderMonkey both turn into
// code at the native 128-bit rate: few live vectors, each store right behind its load.

/** Bytes that one iteration takes from each array: eight vectors. */
const STRIDE: usize = 128;

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function pair(p: usize, offset: usize): v128 {
  return i32x4.add(v128.load(p + offset), v128.load(p + offset + 16));
}

/** Loads every vector as integers and adds it to the four i32 sums at `sums`, modulo 2^32. */
export function read(base: usize, size: usize, passes: i32, sums: usize): void {
  const end = base + size;
  let s0 = v128.load(sums);
  let s1 = i32x4.splat(0);
  let s2 = s1;
  let s3 = s1;
  for (let pass = 0; pass < passes; pass++) {
    for (let p = base; p < end; p += STRIDE) {
      s0 = i32x4.add(s0, pair(p, 0));
      s1 = i32x4.add(s1, pair(p, 32));
      s2 = i32x4.add(s2, pair(p, 64));
      s3 = i32x4.add(s3, pair(p, 96));
    }
  }
  v128.store(sums, i32x4.add(i32x4.add(s0, s1), i32x4.add(s2, s3)));
}

/** Stores a vector to the whole array: the one at `value`, which counts up by one each pass. */
export function write(base: usize, size: usize, passes: i32, value: usize): void {
  const end = base + size;
  const one = i32x4.splat(1);
  let v = v128.load(value);
  for (let pass = 0; pass < passes; pass++) {
    v = i32x4.add(v, one);
    for (let p = base; p < end; p += STRIDE) {
      v128.store(p, v, 0);
      v128.store(p, v, 16);
      v128.store(p, v, 32);
      v128.store(p, v, 48);
      v128.store(p, v, 64);
      v128.store(p, v, 80);
      v128.store(p, v, 96);
      v128.store(p, v, 112);
    }
  }
  v128.store(value, v);
}

/** `memory.fill` of the whole array with the low byte of `byte`. */
export function writeBulk(base: usize, size: usize, passes: i32, byte: i32): void {
  for (let pass = 0; pass < passes; pass++) memory.fill(base, byte as u8, size);
}

/** Copies `size` bytes from `base + size` to `base`. */
export function copy(base: usize, size: usize, passes: i32): void {
  const end = base + size;
  for (let pass = 0; pass < passes; pass++) {
    for (let p = base; p < end; p += STRIDE) {
      const q = p + size;
      v128.store(p, v128.load(q, 0), 0);
      v128.store(p, v128.load(q, 16), 16);
      v128.store(p, v128.load(q, 32), 32);
      v128.store(p, v128.load(q, 48), 48);
      v128.store(p, v128.load(q, 64), 64);
      v128.store(p, v128.load(q, 80), 80);
      v128.store(p, v128.load(q, 96), 96);
      v128.store(p, v128.load(q, 112), 112);
    }
  }
}

/** `memory.copy` of `size` bytes from `base + size` to `base`. */
export function copyBulk(base: usize, size: usize, passes: i32): void {
  for (let pass = 0; pass < passes; pass++) memory.copy(base, base + size, size);
}

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function triadStep(p: usize, q: usize, r: usize, scale: v128, offset: usize): void {
  const product = f32x4.mul(scale, v128.load(r + offset));
  v128.store(p + offset, f32x4.add(v128.load(q + offset), product));
}

/** target[i] = left[i] + scale * right[i], f32 arrays of `size` bytes that follow each other. */
export function triad(base: usize, size: usize, passes: i32, scale: f32): void {
  const end = base + size;
  const s = f32x4.splat(scale);
  for (let pass = 0; pass < passes; pass++) {
    for (let p = base; p < end; p += STRIDE / 2) {
      const q = p + size;
      const r = q + size;
      triadStep(p, q, r, s, 0);
      triadStep(p, q, r, s, 16);
      triadStep(p, q, r, s, 32);
      triadStep(p, q, r, s, 48);
    }
  }
}
