import type { NormGeometry } from '../plan.ts';

type Tensor = Float64Array;
type Activation = 'none' | 'relu';

/** statistics = mean, then 1 / sqrt(biased variance + epsilon), in two passes over the input. */
export function normStatistics(g: NormGeometry, input: Tensor, statistics: Tensor): void {
  const { pixels, channels } = g;
  statistics.fill(0);
  const mean = statistics.subarray(0, channels);
  const inverseDeviation = statistics.subarray(channels);
  for (let p = 0; p < pixels; p += 1)
    for (let c = 0; c < channels; c += 1) mean[c]! += input[p * channels + c]! / pixels;
  for (let p = 0; p < pixels; p += 1)
    for (let c = 0; c < channels; c += 1)
      inverseDeviation[c]! += (input[p * channels + c]! - mean[c]!) ** 2 / pixels;
  for (let c = 0; c < channels; c += 1)
    inverseDeviation[c] = 1 / Math.sqrt(inverseDeviation[c]! + g.epsilon);
}

/** running = (1 - momentum) running + momentum (mean, unbiased variance); one pixel is not unbiased. */
export function updateRunning(
  { pixels, channels, epsilon }: NormGeometry,
  momentum: number,
  statistics: Tensor,
  running: Tensor,
): void {
  const unbias = pixels > 1 ? pixels / (pixels - 1) : 1;
  for (let c = 0; c < channels; c += 1) {
    const variance = statistics[channels + c]! ** -2 - epsilon;
    running[c]! += momentum * (statistics[c]! - running[c]!);
    running[channels + c]! += momentum * (unbias * variance - running[channels + c]!);
  }
}

/** statistics = running mean, then 1 / sqrt(running variance + epsilon). */
export function statisticsOfRunning(
  { channels, epsilon }: NormGeometry,
  running: Tensor,
  statistics: Tensor,
): void {
  for (let c = 0; c < channels; c += 1) {
    statistics[c] = running[c]!;
    statistics[channels + c] = 1 / Math.sqrt(running[channels + c]! + epsilon);
  }
}

/** output = activation(gamma (input - mean) inverseDeviation + beta + residual) */
export function normalize(
  g: NormGeometry,
  activation: Activation,
  tensors: {
    readonly input: Tensor;
    readonly statistics: Tensor;
    readonly gamma: Tensor;
    readonly beta: Tensor;
    readonly residual: Tensor | undefined;
    readonly output: Tensor;
  },
): void {
  const { input, statistics, gamma, beta, residual, output } = tensors;
  for (let at = 0; at < g.pixels * g.channels; at += 1) {
    const c = at % g.channels;
    const normalised = (input[at]! - statistics[c]!) * statistics[g.channels + c]!;
    const sum = gamma[c]! * normalised + beta[c]! + (residual?.[at] ?? 0);
    output[at] = activation === 'relu' ? Math.max(sum, 0) : sum;
  }
}

interface BackwardTensors {
  readonly input: Tensor;
  readonly statistics: Tensor;
  readonly output: Tensor;
  readonly outputGradient: Tensor;
  readonly gammaGradient: Tensor;
  readonly betaGradient: Tensor;
}

/** The gradient before the activation: ReLU passes where its output is positive. */
function masked(
  activation: Activation,
  { output, outputGradient }: Pick<BackwardTensors, 'output' | 'outputGradient'>,
  at: number,
): number {
  return activation === 'none' || output[at]! > 0 ? outputGradient[at]! : 0;
}

/** betaGradient = sum(d), gammaGradient = sum(d normalised), d the gradient before activation. */
export function normBackwardStatistics(
  g: NormGeometry,
  activation: Activation,
  tensors: BackwardTensors,
): void {
  const { input, statistics, gammaGradient, betaGradient } = tensors;
  gammaGradient.fill(0);
  betaGradient.fill(0);
  for (let at = 0; at < g.pixels * g.channels; at += 1) {
    const c = at % g.channels;
    const d = masked(activation, tensors, at);
    const normalised = (input[at]! - statistics[c]!) * statistics[g.channels + c]!;
    betaGradient[c]! += d;
    gammaGradient[c]! += d * normalised;
  }
}

/**
 * inputGradient = gamma inverseDeviation (d - mean(d) - normalised mean(d normalised)): the means
 * are what the input does through the batch's own mean and variance (Ioffe and Szegedy 2015,
 * section 3). The residual passes d through.
 */
export function normBackwardInput(
  g: NormGeometry,
  activation: Activation,
  tensors: BackwardTensors & {
    readonly gamma: Tensor;
    readonly inputGradient: Tensor;
    readonly residualGradient: Tensor | undefined;
  },
): void {
  const { input, statistics, gammaGradient, betaGradient } = tensors;
  for (let at = 0; at < g.pixels * g.channels; at += 1) {
    const c = at % g.channels;
    const inverseDeviation = statistics[g.channels + c]!;
    const d = masked(activation, tensors, at);
    const normalised = (input[at]! - statistics[c]!) * inverseDeviation;
    const centred = d - betaGradient[c]! / g.pixels - (normalised * gammaGradient[c]!) / g.pixels;
    tensors.inputGradient[at] = tensors.gamma[c]! * inverseDeviation * centred;
    if (tensors.residualGradient !== undefined) tensors.residualGradient[at] = d;
  }
}
