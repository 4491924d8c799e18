import type { ConvGeometry } from '../plan.ts';

type Tensor = Float64Array;

/**
 * Visits every product of a tap with a pixel that is not padding, giving the element offsets of
 * the input pixel's channels, of the tap's [in][out] matrix and of the output pixel's channels.
 */
function forEachTap(
  g: ConvGeometry,
  visit: (input: number, weight: number, output: number) => void,
): void {
  for (let image = 0; image < g.batch; image += 1)
    for (let y = 0; y < g.outHeight; y += 1)
      for (let x = 0; x < g.outWidth; x += 1)
        for (let ky = 0; ky < g.kernelHeight; ky += 1) {
          const inY = y * g.stride + ky - g.padTop;
          if (inY < 0 || inY >= g.inHeight) continue;
          for (let kx = 0; kx < g.kernelWidth; kx += 1) {
            const inX = x * g.stride + kx - g.padLeft;
            if (inX < 0 || inX >= g.inWidth) continue;
            visit(
              ((image * g.inHeight + inY) * g.inWidth + inX) * g.inChannels,
              (ky * g.kernelWidth + kx) * g.inChannels * g.outChannels,
              ((image * g.outHeight + y) * g.outWidth + x) * g.outChannels,
            );
          }
        }
}

/** output[pixel][o] = sum over taps and i of input[pixel + tap][i] weight[tap][i][o] */
export function convolve(g: ConvGeometry, input: Tensor, weight: Tensor, output: Tensor): void {
  const { inChannels, outChannels } = g;
  output.fill(0);
  forEachTap(g, (inputAt, weightAt, outputAt) => {
    for (let i = 0; i < inChannels; i += 1) {
      const value = input[inputAt + i]!;
      const row = weightAt + i * outChannels;
      for (let o = 0; o < outChannels; o += 1) output[outputAt + o]! += value * weight[row + o]!;
    }
  });
}

/** The transpose of `convolve` in its input: what it scattered is gathered back. */
export function convolveBackwardInput(
  g: ConvGeometry,
  outputGradient: Tensor,
  weight: Tensor,
  addend: Tensor | undefined,
  inputGradient: Tensor,
): void {
  const { inChannels, outChannels } = g;
  if (addend === undefined) inputGradient.fill(0);
  else inputGradient.set(addend);
  forEachTap(g, (inputAt, weightAt, outputAt) => {
    for (let i = 0; i < inChannels; i += 1) {
      const row = weightAt + i * outChannels;
      let sum = 0;
      for (let o = 0; o < outChannels; o += 1)
        sum += outputGradient[outputAt + o]! * weight[row + o]!;
      inputGradient[inputAt + i]! += sum;
    }
  });
}

/** The transpose of `convolve` in its weight. */
export function convolveBackwardWeight(
  g: ConvGeometry,
  input: Tensor,
  outputGradient: Tensor,
  weightGradient: Tensor,
): void {
  const { inChannels, outChannels } = g;
  weightGradient.fill(0);
  forEachTap(g, (inputAt, weightAt, outputAt) => {
    for (let i = 0; i < inChannels; i += 1) {
      const value = input[inputAt + i]!;
      const row = weightAt + i * outChannels;
      for (let o = 0; o < outChannels; o += 1)
        weightGradient[row + o]! += value * outputGradient[outputAt + o]!;
    }
  });
}
