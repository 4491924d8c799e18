import type { ConvGeometry, WindowGeometry } from './plan.ts';

/** Multiplications of a direct convolution, padding included; its backward passes have the same. */
export function products(g: ConvGeometry): number {
  return outputElements(g) * g.kernelHeight * g.kernelWidth * g.inChannels;
}

/** Pairs of an output row and a row of taps that meet the image. */
export function rowsOfTaps(g: WindowGeometry): number {
  return inputsMet(g.outHeight, g.kernelHeight, g.stride, g.padTop).filter(
    (y) => y >= 0 && y < g.inHeight,
  ).length;
}

/** Pairs of an output pixel of one image and a tap that is not padding. */
export function tapsWithin(g: WindowGeometry): number {
  const columns = inputsMet(g.outWidth, g.kernelWidth, g.stride, g.padLeft).filter(
    (x) => x >= 0 && x < g.inWidth,
  ).length;
  return rowsOfTaps(g) * columns;
}

/** Pairs of an input column and a column of taps that the stride lets meet. */
export function gatheredColumns(g: ConvGeometry): number {
  let pairs = 0;
  for (let x = 0; x < g.inWidth; x += 1)
    for (let tap = 0; tap < g.kernelWidth; tap += 1)
      if ((x + g.padLeft - tap) % g.stride === 0) pairs += 1;
  return pairs;
}

/** The input position of each output and tap along one axis, padding included. */
function inputsMet(outLength: number, kernel: number, stride: number, pad: number): number[] {
  return Array.from(
    { length: outLength * kernel },
    (_, at) => Math.floor(at / kernel) * stride + (at % kernel) - pad,
  );
}

/** Elements of the weight, of the input and of the output. */
export function weights(g: ConvGeometry): number {
  return g.kernelHeight * g.kernelWidth * g.inChannels * g.outChannels;
}

export function inputElements(g: ConvGeometry): number {
  return g.batch * g.inHeight * g.inWidth * g.inChannels;
}

export function outputElements(g: ConvGeometry): number {
  return g.batch * g.outHeight * g.outWidth * g.outChannels;
}

/** The inputs that some tap meets: a 1x1 convolution of stride 2 reads a quarter of them. */
export function touchedInputs(g: ConvGeometry): number {
  return g.batch * touchedPixels(g) * g.inChannels;
}

/** The pixels of one image that some window meets. */
export function touchedPixels(g: WindowGeometry): number {
  const rows = distinctWithin(
    g.inHeight,
    inputsMet(g.outHeight, g.kernelHeight, g.stride, g.padTop),
  );
  const columns = distinctWithin(
    g.inWidth,
    inputsMet(g.outWidth, g.kernelWidth, g.stride, g.padLeft),
  );
  return rows * columns;
}

function distinctWithin(length: number, positions: readonly number[]): number {
  return new Set(positions.filter((at) => at >= 0 && at < length)).size;
}
