/** Images, NHWC. Lengths in elements. */
export interface ImageShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

export type TensorId = number;

/**
 * Where a tensor lives. Parameters, gradients and velocities are one buffer each, laid out alike:
 * the same `offset` addresses a parameter, its gradient and its velocity. Running statistics are a
 * buffer of their own. `memoryPlan.ts` gives activations and statistics their places.
 */
export type TensorStorage =
  | 'parameter'
  | 'gradient'
  | 'velocity'
  | 'running'
  | 'input'
  | 'labels'
  | 'activation'
  | 'statistics';

/** A tensor of the plan. `id` is its index in `TrainingPlan.tensors`. */
export interface TensorSpec {
  readonly id: TensorId;
  readonly name: string;
  readonly shape: readonly number[];
  readonly length: number;
  readonly storage: TensorStorage;
  /** Element offset within the parameter, gradient, velocity or running buffer; 0 elsewhere. */
  readonly offset: number;
}

/** A trainable tensor, in drawing order (see tests/golden/README.md). */
export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly length: number;
  /** Element offset in the parameter, gradient and velocity buffers; a multiple of 64. */
  readonly offset: number;
  /** `draw`: uniform within +-sqrt(6 / fanIn); `one` and `zero` draw nothing. */
  readonly initial:
    | { readonly kind: 'draw'; readonly fanIn: number }
    | { readonly kind: 'one' }
    | { readonly kind: 'zero' };
  /** Whether weight decay acts on it. */
  readonly decays: boolean;
  readonly parameter: TensorId;
}

/** A trainable tensor where it is trained. */
export interface TrainedParameterSpec extends ParameterSpec {
  readonly gradient: TensorId;
  readonly velocity: TensorId;
}

/**
 * A window that slides over images: output pixel (y, x) meets the input rows y stride - padTop + ky,
 * ky below kernelHeight, and columns likewise; those outside the image are padding.
 */
export interface WindowGeometry {
  readonly batch: number;
  readonly inHeight: number;
  readonly inWidth: number;
  readonly outHeight: number;
  readonly outWidth: number;
  readonly kernelHeight: number;
  readonly kernelWidth: number;
  readonly stride: number;
  readonly padTop: number;
  readonly padLeft: number;
}

/** A convolution's geometry. Input [batch, height, width, inChannels], weight [kh][kw][in][out]. */
export interface ConvGeometry extends WindowGeometry {
  readonly inChannels: number;
  readonly outChannels: number;
}

/** Pooling over windows, channel by channel; every window meets the image. */
export interface WindowPoolGeometry extends WindowGeometry {
  readonly channels: number;
}

/** Images side by side in the channels: input i is [pixels, channels[i]], the output their sum. */
export interface ConcatGeometry {
  readonly pixels: number;
  readonly channels: readonly number[];
}

/** Batch-norm over [pixels, channels], pixels = batch x height x width. */
export interface NormGeometry {
  readonly pixels: number;
  readonly channels: number;
  readonly epsilon: number;
}

export interface PoolGeometry {
  readonly batch: number;
  readonly pixels: number;
  readonly channels: number;
}

export interface DenseGeometry {
  readonly batch: number;
  readonly inFeatures: number;
  readonly outFeatures: number;
}

/**
 * One kernel call of a plan. Field names say which tensor goes where (`opTensors.ts` lists them);
 * ids index the plan's `tensors`. No op reads a tensor that it writes, except the two updates:
 * `momentum.update` and `batchNorm.updateRunning`.
 *
 * Batch-norm is split at its reductions. `statistics` holds [2, channels]: mean, then
 * 1 / sqrt(biased variance + epsilon). `running` holds [2, channels]: mean, then unbiased variance.
 */
export type PlanOp = { readonly name: string } & (
  | {
      readonly kind: 'conv2d.forward';
      readonly geometry: ConvGeometry;
      readonly input: TensorId;
      readonly weight: TensorId;
      readonly output: TensorId;
    }
  | {
      readonly kind: 'conv2d.backwardInput';
      readonly geometry: ConvGeometry;
      readonly outputGradient: TensorId;
      readonly weight: TensorId;
      /** Another branch's gradient of the same tensor, added to the result. */
      readonly addend?: TensorId;
      readonly inputGradient: TensorId;
    }
  | {
      readonly kind: 'conv2d.backwardWeight';
      readonly geometry: ConvGeometry;
      readonly input: TensorId;
      readonly outputGradient: TensorId;
      readonly weightGradient: TensorId;
    }
  | {
      readonly kind: 'batchNorm.statistics';
      readonly geometry: NormGeometry;
      readonly input: TensorId;
      readonly statistics: TensorId;
    }
  | {
      /**
       * running = (1 - momentum) running + momentum (mean, unbiased variance of the batch). The
       * unbiased variance is pixels / (pixels - 1) times the biased one; of one pixel, the biased.
       */
      readonly kind: 'batchNorm.updateRunning';
      readonly geometry: NormGeometry;
      readonly momentum: number;
      readonly statistics: TensorId;
      readonly running: TensorId;
    }
  | {
      /** statistics = running mean, 1 / sqrt(running variance + epsilon); evaluation only. */
      readonly kind: 'batchNorm.runningStatistics';
      readonly geometry: NormGeometry;
      readonly running: TensorId;
      readonly statistics: TensorId;
    }
  | {
      /** output = activation(gamma (input - mean) / deviation + beta + residual) */
      readonly kind: 'batchNorm.normalize';
      readonly geometry: NormGeometry;
      readonly activation: 'none' | 'relu';
      readonly input: TensorId;
      readonly statistics: TensorId;
      readonly gamma: TensorId;
      readonly beta: TensorId;
      readonly residual?: TensorId;
      readonly output: TensorId;
    }
  | {
      /**
       * gammaGradient = sum(d x normalised input), betaGradient = sum(d), where d is
       * outputGradient masked by output > 0 under ReLU.
       */
      readonly kind: 'batchNorm.backwardStatistics';
      readonly geometry: NormGeometry;
      readonly activation: 'none' | 'relu';
      readonly input: TensorId;
      readonly statistics: TensorId;
      readonly output: TensorId;
      readonly outputGradient: TensorId;
      readonly gammaGradient: TensorId;
      readonly betaGradient: TensorId;
    }
  | {
      /** Writes the gradient of `input` and, where there is a residual, its gradient d. */
      readonly kind: 'batchNorm.backwardInput';
      readonly geometry: NormGeometry;
      readonly activation: 'none' | 'relu';
      readonly input: TensorId;
      readonly statistics: TensorId;
      readonly gamma: TensorId;
      readonly output: TensorId;
      readonly outputGradient: TensorId;
      readonly gammaGradient: TensorId;
      readonly betaGradient: TensorId;
      readonly inputGradient: TensorId;
      readonly residualGradient?: TensorId;
    }
  | {
      readonly kind: 'concat.forward';
      readonly geometry: ConcatGeometry;
      readonly inputs: readonly TensorId[];
      readonly output: TensorId;
    }
  | {
      /** Each input's channels of the gradient, cut out. */
      readonly kind: 'concat.backward';
      readonly geometry: ConcatGeometry;
      readonly outputGradient: TensorId;
      readonly inputGradients: readonly TensorId[];
    }
  | {
      /** Padding is never the largest; of equal values the first in row order wins. */
      readonly kind: 'maxPool.forward';
      readonly geometry: WindowPoolGeometry;
      readonly input: TensorId;
      readonly output: TensorId;
      /** Of each output the tap that won, ky kernelWidth + kx, as a whole number in f32. */
      readonly taps: TensorId;
    }
  | {
      /** inputGradient[pixel] = sum of outputGradient over the windows that this pixel won. */
      readonly kind: 'maxPool.backward';
      readonly geometry: WindowPoolGeometry;
      readonly outputGradient: TensorId;
      readonly taps: TensorId;
      readonly inputGradient: TensorId;
    }
  | {
      /** Sum over the window / (kernelHeight kernelWidth): padding counts as zeros. */
      readonly kind: 'averagePool.forward';
      readonly geometry: WindowPoolGeometry;
      readonly input: TensorId;
      readonly output: TensorId;
    }
  | {
      readonly kind: 'averagePool.backward';
      readonly geometry: WindowPoolGeometry;
      readonly outputGradient: TensorId;
      readonly inputGradient: TensorId;
    }
  | {
      /** sum = left + right: joins gradients where an op has no addend. */
      readonly kind: 'add';
      readonly length: number;
      readonly left: TensorId;
      readonly right: TensorId;
      readonly sum: TensorId;
    }
  | {
      readonly kind: 'globalAveragePool.forward';
      readonly geometry: PoolGeometry;
      readonly input: TensorId;
      readonly output: TensorId;
    }
  | {
      readonly kind: 'globalAveragePool.backward';
      readonly geometry: PoolGeometry;
      readonly outputGradient: TensorId;
      readonly inputGradient: TensorId;
    }
  | {
      readonly kind: 'dense.forward';
      readonly geometry: DenseGeometry;
      readonly input: TensorId;
      readonly weight: TensorId;
      readonly bias: TensorId;
      readonly output: TensorId;
    }
  | {
      readonly kind: 'dense.backwardInput';
      readonly geometry: DenseGeometry;
      readonly outputGradient: TensorId;
      readonly weight: TensorId;
      readonly inputGradient: TensorId;
    }
  | {
      readonly kind: 'dense.backwardWeight';
      readonly geometry: DenseGeometry;
      readonly input: TensorId;
      readonly outputGradient: TensorId;
      readonly weightGradient: TensorId;
      readonly biasGradient: TensorId;
    }
  | {
      /** Mean loss over the batch, and its gradient with respect to the logits, in one call. */
      readonly kind: 'softmaxCrossEntropy';
      readonly batch: number;
      readonly classes: number;
      readonly logits: TensorId;
      readonly labels: TensorId;
      /** [batch]: each image's loss; the mean is taken by the reader. */
      readonly losses: TensorId;
      readonly logitsGradient: TensorId;
    }
  | {
      /** Evaluation's loss, and whether the largest logit (of equal ones the first) is the label's. */
      readonly kind: 'classify';
      readonly batch: number;
      readonly classes: number;
      readonly logits: TensorId;
      readonly labels: TensorId;
      /** [batch] */
      readonly losses: TensorId;
      /** [batch]: 1 or 0. */
      readonly correct: TensorId;
    }
  | {
      /**
       * v = momentum v + (g + decay w), w = w - learningRate v, over the whole parameter buffer;
       * decay acts on the first `decayLength` elements. The rates are arguments of each step.
       */
      readonly kind: 'momentum.update';
      /** Elements of the parameter buffer, gaps of alignment included. */
      readonly length: number;
      readonly decayLength: number;
    }
);

export type OpKind = PlanOp['kind'];

/** What training and evaluation plans share. */
interface NetworkPlan {
  /** The zoo's name for it, or what the maker of an own graph calls it. */
  readonly model: string;
  readonly batch: number;
  readonly input: ImageShape;
  readonly classes: number;
  readonly tensors: readonly TensorSpec[];
  /** Elements of each of the parameter, gradient and velocity buffers. */
  readonly parameterLength: number;
  /** Elements of the buffer of running statistics. */
  readonly runningLength: number;
  readonly inputTensor: TensorId;
  readonly labelsTensor: TensorId;
  readonly logitsTensor: TensorId;
  readonly lossesTensor: TensorId;
  readonly ops: readonly PlanOp[];
}

/** The flat list of kernel calls that one training step is: forward, loss, backward, update. */
export interface TrainingPlan extends NetworkPlan {
  readonly parameters: readonly TrainedParameterSpec[];
}

/**
 * Forward with running statistics, loss and count of what is right. Parameters and running
 * statistics lie as in the training plan of the same network: the two can share those buffers.
 */
export interface EvaluationPlan extends NetworkPlan {
  readonly parameters: readonly ParameterSpec[];
  /** [batch]: 1 where the prediction is the label, else 0. */
  readonly correctTensor: TensorId;
}

/** The rates of one step of momentum SGD. */
export interface StepRates {
  readonly learningRate: number;
  readonly momentum: number;
  readonly weightDecay: number;
}
