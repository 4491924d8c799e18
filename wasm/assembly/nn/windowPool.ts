import { storeFirst } from './lanes';

// Pooling over windows, a range of rows of one image at a time, four channels at a time. Output pixel
// (y, x) meets the input rows y stride - padTop + ky and columns likewise; backward a pixel gathers
// from the windows that meet it, in the order of the taps from the last to the first.

const FLOAT: usize = 4;

/** output = largest of the window, taps = the tap that was it, of equal ones the first, as f32. */
export function maxPool(
  input: usize,
  inHeight: i32,
  inWidth: i32,
  channels: i32,
  kernelHeight: i32,
  kernelWidth: i32,
  stride: i32,
  padTop: i32,
  padLeft: i32,
  outWidth: i32,
  firstRow: i32,
  rows: i32,
  output: usize,
  taps: usize,
): void {
  const pitch = <usize>channels * FLOAT;
  for (let y = firstRow; y < firstRow + rows; y++) {
    for (let x = 0; x < outWidth; x++) {
      const to = <usize>(y * outWidth + x) * pitch;
      for (let channel = 0; channel < channels; channel += 4) {
        const at = <usize>channel * FLOAT;
        let largest = f32x4.splat(-Infinity);
        let winner = f32x4.splat(0);
        for (let ky = 0; ky < kernelHeight; ky++) {
          const inY = y * stride - padTop + ky;
          if (inY < 0 || inY >= inHeight) continue;
          for (let kx = 0; kx < kernelWidth; kx++) {
            const inX = x * stride - padLeft + kx;
            if (inX < 0 || inX >= inWidth) continue;
            const value = v128.load(input + at + <usize>(inY * inWidth + inX) * pitch);
            const wins = f32x4.gt(value, largest);
            largest = v128.bitselect(value, largest, wins);
            winner = v128.bitselect(f32x4.splat(<f32>(ky * kernelWidth + kx)), winner, wins);
          }
        }
        const count = min(4, channels - channel);
        storeFirst(output + to + at, 0, largest, count);
        storeFirst(taps + to + at, 0, winner, count);
      }
    }
  }
}

/** output = sum of the window times `share`; padding counts as zeros. */
export function averageWindows(
  input: usize,
  inHeight: i32,
  inWidth: i32,
  channels: i32,
  kernelHeight: i32,
  kernelWidth: i32,
  stride: i32,
  padTop: i32,
  padLeft: i32,
  outWidth: i32,
  firstRow: i32,
  rows: i32,
  output: usize,
  share: f32,
): void {
  const pitch = <usize>channels * FLOAT;
  for (let y = firstRow; y < firstRow + rows; y++) {
    for (let x = 0; x < outWidth; x++) {
      const to = <usize>(y * outWidth + x) * pitch;
      for (let channel = 0; channel < channels; channel += 4) {
        const at = <usize>channel * FLOAT;
        let sum = f32x4.splat(0);
        for (let ky = 0; ky < kernelHeight; ky++) {
          const inY = y * stride - padTop + ky;
          if (inY < 0 || inY >= inHeight) continue;
          for (let kx = 0; kx < kernelWidth; kx++) {
            const inX = x * stride - padLeft + kx;
            if (inX < 0 || inX >= inWidth) continue;
            sum = f32x4.add(sum, v128.load(input + at + <usize>(inY * inWidth + inX) * pitch));
          }
        }
        storeFirst(output + to + at, 0, f32x4.mul(sum, f32x4.splat(share)), min(4, channels - channel));
      }
    }
  }
}

/**
 * inputGradient = sum of outputGradient over the windows that meet a pixel, times `share`; where
 * `taps` is not 0, only of those that the pixel won.
 */
export function poolBackward(
  outputGradient: usize,
  taps: usize,
  outHeight: i32,
  outWidth: i32,
  channels: i32,
  kernelHeight: i32,
  kernelWidth: i32,
  stride: i32,
  padTop: i32,
  padLeft: i32,
  inWidth: i32,
  firstRow: i32,
  rows: i32,
  inputGradient: usize,
  share: f32,
): void {
  const pitch = <usize>channels * FLOAT;
  for (let inY = firstRow; inY < firstRow + rows; inY++) {
    for (let inX = 0; inX < inWidth; inX++) {
      const to = <usize>(inY * inWidth + inX) * pitch;
      for (let channel = 0; channel < channels; channel += 4) {
        const at = <usize>channel * FLOAT;
        let sum = f32x4.splat(0);
        for (let ky = kernelHeight - 1; ky >= 0; ky--) {
          const y = (inY + padTop - ky) / stride;
          if (inY + padTop < ky || y >= outHeight || y * stride != inY + padTop - ky) continue;
          for (let kx = kernelWidth - 1; kx >= 0; kx--) {
            const x = (inX + padLeft - kx) / stride;
            if (inX + padLeft < kx || x >= outWidth || x * stride != inX + padLeft - kx) continue;
            const from = at + <usize>(y * outWidth + x) * pitch;
            let gradient = v128.load(outputGradient + from);
            if (taps) {
              const tap = f32x4.splat(<f32>(ky * kernelWidth + kx));
              gradient = v128.and(gradient, f32x4.eq(v128.load(taps + from), tap));
            }
            sum = f32x4.add(sum, gradient);
          }
        }
        const value = f32x4.mul(sum, f32x4.splat(share));
        storeFirst(inputGradient + to + at, 0, value, min(4, channels - channel));
      }
    }
  }
}
