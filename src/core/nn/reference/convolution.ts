import type { ConvGeometry } from '../plan.ts';
import { forEachTap } from './window.ts';

type Tensor = Float64Array;

/** `forEachTap` in elements: of the input pixel's, the tap's [in][out] and the output pixel's first. */
function forEachProduct(
  g: ConvGeometry,
  visit: (input: number, weight: number, output: number) => void,
): void {
  forEachTap(g, (input, tap, output) =>
    visit(input * g.inChannels, tap * g.inChannels * g.outChannels, output * g.outChannels),
  );
}

/** output[pixel][o] = sum over taps and i of input[pixel + tap][i] weight[tap][i][o] */
export function convolve(g: ConvGeometry, input: Tensor, weight: Tensor, output: Tensor): void {
  const { inChannels, outChannels } = g;
  output.fill(0);
  forEachProduct(g, (inputAt, weightAt, outputAt) => {
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
  forEachProduct(g, (inputAt, weightAt, outputAt) => {
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
  forEachProduct(g, (inputAt, weightAt, outputAt) => {
    for (let i = 0; i < inChannels; i += 1) {
      const value = input[inputAt + i]!;
      const row = weightAt + i * outChannels;
      for (let o = 0; o < outChannels; o += 1)
        weightGradient[row + o]! += value * outputGradient[outputAt + o]!;
    }
  });
}
