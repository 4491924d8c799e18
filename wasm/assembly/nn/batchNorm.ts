import { multiplyAdd } from './multiplyAdd';
import { storeFirst } from './lanes';

// Batch-norm over [pixels][channels], four channels at a time. Where the last vector sticks out over
// a pixel's channels it reads what follows and keeps it to itself: scratch has whole vectors, and
// tensors get only the lanes that exist. Per-channel arrays are padded to whole vectors too.

const FLOAT: usize = 4;

/**
 * Mean and squared deviations from it of `pixels` pixels, for each channel, in two passes:
 * partial [2][channels rounded up to 4].
 */
export function normPartial(input: usize, pixels: i32, channels: i32, partial: usize): void {
  const pitch = <usize>channels * FLOAT;
  const half = <usize>((channels + 3) & ~3) * FLOAT;
  const share = f32x4.splat(<f32>1 / <f32>pixels);
  for (let channel = 0; channel < channels; channel += 4) {
    let s0 = f32x4.splat(0);
    let s1 = s0, s2 = s0, s3 = s0;
    const start = input + <usize>channel * FLOAT;
    let p = start;
    let left = pixels;
    for (; left >= 4; left -= 4) {
      s0 = f32x4.add(s0, v128.load(p));
      s1 = f32x4.add(s1, v128.load(p + pitch));
      p += 2 * pitch;
      s2 = f32x4.add(s2, v128.load(p));
      s3 = f32x4.add(s3, v128.load(p + pitch));
      p += 2 * pitch;
    }
    for (; left > 0; left--) {
      s0 = f32x4.add(s0, v128.load(p));
      p += pitch;
    }
    const mean = f32x4.mul(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)), share);
    s0 = f32x4.splat(0);
    s1 = s0;
    s2 = s0;
    s3 = s0;
    p = start;
    left = pixels;
    for (; left >= 4; left -= 4) {
      let d = f32x4.sub(v128.load(p), mean);
      s0 = multiplyAdd(d, d, s0);
      d = f32x4.sub(v128.load(p + pitch), mean);
      s1 = multiplyAdd(d, d, s1);
      p += 2 * pitch;
      d = f32x4.sub(v128.load(p), mean);
      s2 = multiplyAdd(d, d, s2);
      d = f32x4.sub(v128.load(p + pitch), mean);
      s3 = multiplyAdd(d, d, s3);
      p += 2 * pitch;
    }
    for (; left > 0; left--) {
      const d = f32x4.sub(v128.load(p), mean);
      s0 = multiplyAdd(d, d, s0);
      p += pitch;
    }
    v128.store(partial, mean);
    v128.store(partial + half, f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)));
    partial += 16;
  }
}

/**
 * Merges the partials of tiles of `tilePixels` pixels (the last one may have fewer) pairwise, in
 * place, and writes statistics [2][channels]: mean, 1 / sqrt(variance + epsilon); for the channels
 * from `channel` on, four at the most. Chan, Golub and LeVeque 1979: of counts n and m,
 * M2 = M2a + M2b + (meanB - meanA)^2 n m / (n + m).
 */
export function normMerge(
  partials: usize,
  tiles: i32,
  tilePixels: i32,
  pixels: i32,
  channels: i32,
  channel: i32,
  epsilon: f32,
  statistics: usize,
): void {
  const half = <usize>((channels + 3) & ~3) * FLOAT;
  const pitch = <usize>2 * half;
  const start = partials + <usize>channel * FLOAT;
  for (let step = 1; step < tiles; step *= 2) {
    for (let tile = 0; tile + step < tiles; tile += 2 * step) {
      const a = start + <usize>tile * pitch;
      const b = a + <usize>step * pitch;
      const n = <f32>(step * tilePixels);
      const m = <f32>(min((tile + 2 * step) * tilePixels, pixels) - (tile + step) * tilePixels);
      const delta = f32x4.sub(v128.load(b), v128.load(a));
      v128.store(a, multiplyAdd(delta, f32x4.splat(m / (n + m)), v128.load(a)));
      const squares = f32x4.add(v128.load(a + half), v128.load(b + half));
      const between = f32x4.mul(delta, delta);
      v128.store(a + half, multiplyAdd(between, f32x4.splat((n * m) / (n + m)), squares));
    }
  }
  const count = min(4, channels - channel);
  const variance = f32x4.div(v128.load(start + half), f32x4.splat(<f32>pixels));
  const deviation = f32x4.sqrt(f32x4.add(variance, f32x4.splat(epsilon)));
  const mean = statistics + <usize>channel * FLOAT;
  storeFirst(mean, 0, v128.load(start), count);
  storeFirst(mean + <usize>channels * FLOAT, 0, f32x4.div(f32x4.splat(1), deviation), count);
}

/** output = gamma (input - mean) inverseDeviation + beta + residual, at least 0 where `relu`. */
export function normalize(
  input: usize,
  statistics: usize,
  gamma: usize,
  beta: usize,
  residual: usize,
  output: usize,
  pixels: i32,
  channels: i32,
  relu: bool,
): void {
  const pitch = <usize>channels * FLOAT;
  const toOutput = output - input;
  const toResidual = residual - input;
  const floor = f32x4.splat(relu ? 0 : -Infinity);
  for (let channel = 0; channel < channels; channel += 4) {
    const at = <usize>channel * FLOAT;
    const count = min(4, channels - channel);
    const mean = v128.load(statistics + at);
    const scale = f32x4.mul(v128.load(statistics + at + pitch), v128.load(gamma + at));
    const shift = v128.load(beta + at);
    let p = input + at;
    for (let pixel = 0; pixel < pixels; pixel++) {
      let value = multiplyAdd(f32x4.sub(v128.load(p), mean), scale, shift);
      if (residual) value = f32x4.add(value, v128.load(p + toResidual));
      value = f32x4.pmax(value, floor);
      if (count == 4) v128.store(p + toOutput, value);
      else storeFirst(p + toOutput, 0, value, count);
      p += pitch;
    }
  }
}

/** outputGradient where output is positive, else 0; all of it where `output` is 0 (no ReLU). */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function masked(outputGradient: v128, output: usize): v128 {
  if (output == 0) return outputGradient;
  return v128.and(outputGradient, f32x4.gt(v128.load(output), f32x4.splat(0)));
}

/**
 * Sums over `pixels` pixels of d and of d normalised, d being the gradient before the activation:
 * partial [2][channels rounded up to 4]. `output` is 0 without ReLU.
 */
export function normGradientPartial(
  input: usize,
  statistics: usize,
  output: usize,
  outputGradient: usize,
  pixels: i32,
  channels: i32,
  partial: usize,
): void {
  const pitch = <usize>channels * FLOAT;
  const half = <usize>((channels + 3) & ~3) * FLOAT;
  for (let channel = 0; channel < channels; channel += 4) {
    const at = <usize>channel * FLOAT;
    const mean = v128.load(statistics + at);
    const inverse = v128.load(statistics + at + pitch);
    let x = input + at;
    let y = output ? output + at : 0;
    let g = outputGradient + at;
    const yPitch = output ? pitch : 0;
    let b0 = f32x4.splat(0);
    let b1 = b0, g0 = b0, g1 = b0;
    let left = pixels;
    for (; left >= 2; left -= 2) {
      let d = masked(v128.load(g), y);
      b0 = f32x4.add(b0, d);
      g0 = multiplyAdd(d, f32x4.sub(v128.load(x), mean), g0);
      d = masked(v128.load(g + pitch), y + yPitch);
      b1 = f32x4.add(b1, d);
      g1 = multiplyAdd(d, f32x4.sub(v128.load(x + pitch), mean), g1);
      x += 2 * pitch;
      g += 2 * pitch;
      y += 2 * yPitch;
    }
    if (left > 0) {
      const d = masked(v128.load(g), y);
      b0 = f32x4.add(b0, d);
      g0 = multiplyAdd(d, f32x4.sub(v128.load(x), mean), g0);
    }
    v128.store(partial, f32x4.add(b0, b1));
    v128.store(partial + half, f32x4.mul(f32x4.add(g0, g1), inverse));
    partial += 16;
  }
}

/**
 * Adds up the partials of `normGradientPartial` pairwise, in place, and writes the gradients of beta
 * and gamma for the channels from `channel` on, four at the most.
 */
export function normGradientMerge(
  partials: usize,
  tiles: i32,
  channels: i32,
  channel: i32,
  betaGradient: usize,
  gammaGradient: usize,
): void {
  const half = <usize>((channels + 3) & ~3) * FLOAT;
  const pitch = <usize>2 * half;
  const start = partials + <usize>channel * FLOAT;
  for (let step = 1; step < tiles; step *= 2) {
    for (let tile = 0; tile + step < tiles; tile += 2 * step) {
      const a = start + <usize>tile * pitch;
      const b = a + <usize>step * pitch;
      v128.store(a, f32x4.add(v128.load(a), v128.load(b)));
      v128.store(a + half, f32x4.add(v128.load(a + half), v128.load(b + half)));
    }
  }
  const count = min(4, channels - channel);
  const at = <usize>channel * FLOAT;
  storeFirst(betaGradient + at, 0, v128.load(start), count);
  storeFirst(gammaGradient + at, 0, v128.load(start + half), count);
}

/**
 * inputGradient = gamma inverseDeviation (d - betaGradient / n - normalised gammaGradient / n) for
 * `pixels` pixels of n = `allPixels`; residualGradient = d where it is not 0. `output` is 0 without
 * ReLU.
 */
export function normInputGradient(
  input: usize,
  statistics: usize,
  gamma: usize,
  output: usize,
  outputGradient: usize,
  betaGradient: usize,
  gammaGradient: usize,
  inputGradient: usize,
  residualGradient: usize,
  pixels: i32,
  allPixels: i32,
  channels: i32,
): void {
  const pitch = <usize>channels * FLOAT;
  const toGradient = outputGradient - input;
  const toOutput = output - input;
  const toInputGradient = inputGradient - input;
  const toResidual = residualGradient - input;
  const share = f32x4.splat(<f32>1 / <f32>allPixels);
  for (let channel = 0; channel < channels; channel += 4) {
    const at = <usize>channel * FLOAT;
    const count = min(4, channels - channel);
    const mean = v128.load(statistics + at);
    const inverse = v128.load(statistics + at + pitch);
    const scale = f32x4.mul(v128.load(gamma + at), inverse);
    const meanGradient = f32x4.mul(v128.load(betaGradient + at), share);
    const slope = f32x4.mul(f32x4.mul(v128.load(gammaGradient + at), share), inverse);
    let p = input + at;
    for (let pixel = 0; pixel < pixels; pixel++) {
      const d = masked(v128.load(p + toGradient), output ? p + toOutput : 0);
      const along = f32x4.mul(f32x4.sub(v128.load(p), mean), slope);
      const value = f32x4.mul(f32x4.sub(f32x4.sub(d, meanGradient), along), scale);
      if (count == 4) {
        v128.store(p + toInputGradient, value);
        if (residualGradient) v128.store(p + toResidual, d);
      } else {
        storeFirst(p + toInputGradient, 0, value, count);
        if (residualGradient) storeFirst(p + toResidual, 0, d, count);
      }
      p += pitch;
    }
  }
}
