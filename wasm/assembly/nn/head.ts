import { exponential, logarithm } from './exponential';
import { storeFirst } from './lanes';
import { multiplyAdd } from './multiplyAdd';

const FLOAT: usize = 4;

/** output[c] = mean over the pixels of input[pixel][c], of one image. */
export function averagePool(input: usize, pixels: i32, channels: i32, output: usize): void {
  const share = f32x4.splat(<f32>1 / <f32>pixels);
  for (let channel = 0; channel < channels; channel += 4) {
    const at = <usize>channel * FLOAT;
    let sum = f32x4.splat(0);
    for (let pixel = 0; pixel < pixels; pixel++)
      sum = f32x4.add(sum, v128.load(input + at + <usize>(pixel * channels) * FLOAT));
    storeFirst(output + at, 0, f32x4.mul(sum, share), min(4, channels - channel));
  }
}

/** inputGradient[pixel][c] = outputGradient[c] / pixels, of one image. */
export function averagePoolBackward(
  outputGradient: usize,
  pixels: i32,
  channels: i32,
  inputGradient: usize,
): void {
  const share = f32x4.splat(<f32>1 / <f32>pixels);
  for (let channel = 0; channel < channels; channel += 4) {
    const at = <usize>channel * FLOAT;
    const value = f32x4.mul(v128.load(outputGradient + at), share);
    const count = min(4, channels - channel);
    for (let pixel = 0; pixel < pixels; pixel++)
      storeFirst(inputGradient + at + <usize>(pixel * channels) * FLOAT, 0, value, count);
  }
}

/** output[o] = bias[o] + sum over i of input[i] weight[i][o], of one image. */
export function dense(
  input: usize,
  weight: usize,
  bias: usize,
  inFeatures: i32,
  outFeatures: i32,
  output: usize,
): void {
  for (let o = 0; o < outFeatures; o += 4) {
    const at = <usize>o * FLOAT;
    let sum = v128.load(bias + at);
    for (let i = 0; i < inFeatures; i++) {
      const x = v128.load32_splat(input + <usize>i * FLOAT);
      sum = multiplyAdd(x, v128.load(weight + at + <usize>(i * outFeatures) * FLOAT), sum);
    }
    storeFirst(output + at, 0, sum, min(4, outFeatures - o));
  }
}

/** inputGradient[i] = sum over o of outputGradient[o] weight[i][o], of one image. */
export function denseBackwardInput(
  outputGradient: usize,
  weight: usize,
  inFeatures: i32,
  outFeatures: i32,
  inputGradient: usize,
): void {
  for (let i = 0; i < inFeatures; i++) {
    const row = weight + <usize>(i * outFeatures) * FLOAT;
    let sum: f32 = 0;
    for (let o = 0; o < outFeatures; o++) {
      const at = <usize>o * FLOAT;
      sum += load<f32>(outputGradient + at) * load<f32>(row + at);
    }
    store<f32>(inputGradient + <usize>i * FLOAT, sum);
  }
}

/**
 * Row `feature` of the weight's gradient: sum over the images of input[feature] outputGradient[o].
 * With `input` 0 the gradient of the bias: the sum of outputGradient.
 */
export function denseBackwardWeight(
  input: usize,
  outputGradient: usize,
  batch: i32,
  inFeatures: i32,
  outFeatures: i32,
  target: usize,
): void {
  for (let o = 0; o < outFeatures; o += 4) {
    const at = <usize>o * FLOAT;
    let sum = f32x4.splat(0);
    for (let image = 0; image < batch; image++) {
      const gradient = v128.load(outputGradient + at + <usize>(image * outFeatures) * FLOAT);
      const x = input
        ? v128.load32_splat(input + <usize>(image * inFeatures) * FLOAT)
        : f32x4.splat(1);
      sum = multiplyAdd(x, gradient, sum);
    }
    storeFirst(target + at, 0, sum, min(4, outFeatures - o));
  }
}

/** The sum of e^(logits - largest) of one image. In f64: there are few of them. */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function shiftedSum(logits: usize, classes: i32, largest: f64): f64 {
  let sum: f64 = 0;
  for (let c = 0; c < classes; c++) sum += exponential(<f64>logit(logits, c) - largest);
  return sum;
}

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function logit(logits: usize, c: i32): f32 {
  return load<f32>(logits + <usize>c * FLOAT);
}

/** The class of the largest logit, of equal ones the first. */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function largestClass(logits: usize, classes: i32): i32 {
  let winner = 0;
  for (let c = 1; c < classes; c++) if (logit(logits, c) > logit(logits, winner)) winner = c;
  return winner;
}

/**
 * Of one image: loss = ln(sum of e^logits) - logits[label], and the gradient of the batch's mean
 * loss, (softmax - one-hot) / batch. `label` is the address of an i32.
 */
export function softmaxCrossEntropy(
  logits: usize,
  label: usize,
  classes: i32,
  batch: i32,
  loss: usize,
  gradient: usize,
): void {
  const truth = load<i32>(label);
  const largest = <f64>logit(logits, largestClass(logits, classes));
  const sum = shiftedSum(logits, classes, largest);
  store<f32>(loss, <f32>(logarithm(sum) - (<f64>logit(logits, truth) - largest)));
  for (let c = 0; c < classes; c++) {
    const probability = exponential(<f64>logit(logits, c) - largest) / sum;
    const error = probability - (c == truth ? 1 : 0);
    store<f32>(gradient + <usize>c * FLOAT, <f32>(error / <f64>batch));
  }
}

/** Of one image: the loss, and 1 where the largest logit, of equal ones the first, is the label's. */
export function classify(
  logits: usize,
  label: usize,
  classes: i32,
  loss: usize,
  correct: usize,
): void {
  const truth = load<i32>(label);
  const winner = largestClass(logits, classes);
  const largest = <f64>logit(logits, winner);
  const sum = shiftedSum(logits, classes, largest);
  store<f32>(loss, <f32>(logarithm(sum) - (<f64>logit(logits, truth) - largest)));
  store<f32>(correct, winner == truth ? 1 : 0);
}
