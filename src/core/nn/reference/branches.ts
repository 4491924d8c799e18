import type { ConcatGeometry, WindowPoolGeometry } from '../plan.ts';
import { forEachTap } from './window.ts';

type Tensor = Float64Array;

/** output[pixel] = the inputs' channels of that pixel, one input after the other. */
export function concatenate(g: ConcatGeometry, inputs: readonly Tensor[], output: Tensor): void {
  forEachChannel(g, (input, from, to) => (output[to] = inputs[input]![from]!));
}

/** The transpose of `concatenate`. */
export function split(
  g: ConcatGeometry,
  outputGradient: Tensor,
  inputGradients: readonly Tensor[],
): void {
  forEachChannel(g, (input, from, to) => (inputGradients[input]![from] = outputGradient[to]!));
}

/** Visits every element of the output: which input it is of, its place there, and its own. */
function forEachChannel(
  { pixels, channels }: ConcatGeometry,
  visit: (input: number, from: number, to: number) => void,
): void {
  let to = 0;
  for (let p = 0; p < pixels; p += 1)
    for (const [input, width] of channels.entries())
      for (let c = 0; c < width; c += 1) visit(input, p * width + c, to++);
}

/** output = largest of the window, taps = which tap that was: the first of equal ones. */
export function maxPool(g: WindowPoolGeometry, input: Tensor, output: Tensor, taps: Tensor): void {
  output.fill(-Infinity);
  forEachTap(g, (from, tap, to) => {
    for (let c = 0; c < g.channels; c += 1) {
      const value = input[from * g.channels + c]!;
      const at = to * g.channels + c;
      if (value <= output[at]!) continue;
      output[at] = value;
      taps[at] = tap;
    }
  });
}

/** Every pixel takes the gradients of the windows that it won. */
export function maxPoolBackward(
  g: WindowPoolGeometry,
  outputGradient: Tensor,
  taps: Tensor,
  inputGradient: Tensor,
): void {
  inputGradient.fill(0);
  forEachTap(g, (from, tap, to) => {
    for (let c = 0; c < g.channels; c += 1) {
      const at = to * g.channels + c;
      const gradient = outputGradient[at]!;
      if (taps[at] === tap) inputGradient[from * g.channels + c]! += gradient;
    }
  });
}

/** output = sum over the window / its taps, padding included. */
export function averagePool(g: WindowPoolGeometry, input: Tensor, output: Tensor): void {
  const area = g.kernelHeight * g.kernelWidth;
  output.fill(0);
  forEachTap(g, (from, _, to) => {
    for (let c = 0; c < g.channels; c += 1)
      output[to * g.channels + c]! += input[from * g.channels + c]! / area;
  });
}

/** The transpose of `averagePool`. */
export function averagePoolBackward(
  g: WindowPoolGeometry,
  outputGradient: Tensor,
  inputGradient: Tensor,
): void {
  const area = g.kernelHeight * g.kernelWidth;
  inputGradient.fill(0);
  forEachTap(g, (from, _, to) => {
    for (let c = 0; c < g.channels; c += 1)
      inputGradient[from * g.channels + c]! += outputGradient[to * g.channels + c]! / area;
  });
}

export function sum(left: Tensor, right: Tensor, total: Tensor): void {
  for (let at = 0; at < total.length; at += 1) total[at] = left[at]! + right[at]!;
}
