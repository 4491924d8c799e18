import type { DenseGeometry, PoolGeometry } from '../plan.ts';

type Tensor = Float64Array;

/** output[image][c] = mean over pixels of input[image][pixel][c] */
export function globalAveragePool(g: PoolGeometry, input: Tensor, output: Tensor): void {
  output.fill(0);
  for (let image = 0; image < g.batch; image += 1)
    for (let p = 0; p < g.pixels; p += 1)
      for (let c = 0; c < g.channels; c += 1)
        output[image * g.channels + c]! +=
          input[(image * g.pixels + p) * g.channels + c]! / g.pixels;
}

/** Every pixel takes the same share of its channel's gradient. */
export function globalAveragePoolBackward(
  g: PoolGeometry,
  outputGradient: Tensor,
  inputGradient: Tensor,
): void {
  for (let image = 0; image < g.batch; image += 1)
    for (let p = 0; p < g.pixels; p += 1)
      for (let c = 0; c < g.channels; c += 1)
        inputGradient[(image * g.pixels + p) * g.channels + c] =
          outputGradient[image * g.channels + c]! / g.pixels;
}

/** output = input weight + bias; weight is [in][out]. */
export function dense(
  g: DenseGeometry,
  input: Tensor,
  weight: Tensor,
  bias: Tensor,
  output: Tensor,
): void {
  for (let image = 0; image < g.batch; image += 1)
    for (let o = 0; o < g.outFeatures; o += 1) {
      let sum = bias[o]!;
      for (let i = 0; i < g.inFeatures; i += 1)
        sum += input[image * g.inFeatures + i]! * weight[i * g.outFeatures + o]!;
      output[image * g.outFeatures + o] = sum;
    }
}

/** inputGradient = outputGradient weight^T */
export function denseBackwardInput(
  g: DenseGeometry,
  outputGradient: Tensor,
  weight: Tensor,
  inputGradient: Tensor,
): void {
  for (let image = 0; image < g.batch; image += 1)
    for (let i = 0; i < g.inFeatures; i += 1) {
      let sum = 0;
      for (let o = 0; o < g.outFeatures; o += 1)
        sum += outputGradient[image * g.outFeatures + o]! * weight[i * g.outFeatures + o]!;
      inputGradient[image * g.inFeatures + i] = sum;
    }
}

/** weightGradient = input^T outputGradient, biasGradient = sum of outputGradient over the batch */
export function denseBackwardWeight(
  g: DenseGeometry,
  input: Tensor,
  outputGradient: Tensor,
  weightGradient: Tensor,
  biasGradient: Tensor,
): void {
  weightGradient.fill(0);
  biasGradient.fill(0);
  for (let image = 0; image < g.batch; image += 1)
    for (let o = 0; o < g.outFeatures; o += 1) {
      const gradient = outputGradient[image * g.outFeatures + o]!;
      biasGradient[o]! += gradient;
      for (let i = 0; i < g.inFeatures; i += 1)
        weightGradient[i * g.outFeatures + o]! += input[image * g.inFeatures + i]! * gradient;
    }
}

/**
 * losses[image] = log(sum(exp(logits))) - logits[label], shifted by the largest logit so that no
 * exponential overflows; logitsGradient is that of their mean: (softmax - one-hot) / batch.
 * Labels are whole numbers below `classes`.
 */
export function softmaxCrossEntropy(
  batch: number,
  classes: number,
  logits: Tensor,
  labels: Tensor,
  losses: Tensor,
  logitsGradient: Tensor,
): void {
  for (let image = 0; image < batch; image += 1) {
    const row = logits.subarray(image * classes, (image + 1) * classes);
    const label = labels[image]!;
    const { largest, sum } = exponentials(row);
    losses[image] = Math.log(sum) + largest - row[label]!;
    for (let c = 0; c < classes; c += 1) {
      const probability = Math.exp(row[c]! - largest) / sum;
      logitsGradient[image * classes + c] = (probability - (c === label ? 1 : 0)) / batch;
    }
  }
}

/** The same losses; correct[image] = 1 where the first of the largest logits is the label's. */
export function classify(
  batch: number,
  classes: number,
  logits: Tensor,
  labels: Tensor,
  losses: Tensor,
  correct: Tensor,
): void {
  for (let image = 0; image < batch; image += 1) {
    const row = logits.subarray(image * classes, (image + 1) * classes);
    const label = labels[image]!;
    const { largest, sum } = exponentials(row);
    losses[image] = Math.log(sum) + largest - row[label]!;
    correct[image] = row.indexOf(largest) === label ? 1 : 0;
  }
}

/** The largest logit, and the sum of exponentials shifted by it. */
function exponentials(row: Tensor): { readonly largest: number; readonly sum: number } {
  const largest = row.reduce((a, b) => Math.max(a, b), -Infinity);
  return { largest, sum: row.reduce((total, logit) => total + Math.exp(logit - largest), 0) };
}
