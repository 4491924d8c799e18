/** Images, NHWC. Lengths in elements. */
export interface ImageShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

export type TensorId = number;

/**
 * Where a tensor lives. Parameters, gradients and velocities are one buffer each, laid out alike:
 * the same `offset` addresses a parameter, its gradient and its velocity.
 */
export type TensorStorage =
  'parameter' | 'gradient' | 'velocity' | 'input' | 'labels' | 'activation' | 'statistics';

/** A tensor of the plan. `id` is its index in `TrainingPlan.tensors`. */
export interface TensorSpec {
  readonly id: TensorId;
  readonly name: string;
  readonly shape: readonly number[];
  readonly length: number;
  readonly storage: TensorStorage;
  /** Element offset within the parameter, gradient or velocity buffer; 0 elsewhere. */
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
  readonly gradient: TensorId;
  readonly velocity: TensorId;
}

/** A convolution's geometry. Input [batch, height, width, inChannels], weight [kh][kw][in][out]. */
export interface ConvGeometry {
  readonly batch: number;
  readonly inHeight: number;
  readonly inWidth: number;
  readonly inChannels: number;
  readonly outHeight: number;
  readonly outWidth: number;
  readonly outChannels: number;
  readonly kernelHeight: number;
  readonly kernelWidth: number;
  readonly stride: number;
  readonly padTop: number;
  readonly padLeft: number;
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
 * One kernel call of a training step. Field names say which tensor goes where; ids index
 * `TrainingPlan.tensors`. No op reads a tensor that it writes, except the update.
 *
 * Batch-norm is split at its reductions. `statistics` holds [2, channels]: mean, then
 * 1 / sqrt(biased variance + epsilon).
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

/** The flat list of kernel calls that one training step is: forward, loss, backward, update. */
export interface TrainingPlan {
  /** The zoo's name for it, or what the maker of an own graph calls it. */
  readonly model: string;
  readonly batch: number;
  readonly input: ImageShape;
  readonly classes: number;
  readonly tensors: readonly TensorSpec[];
  readonly parameters: readonly ParameterSpec[];
  /** Elements of each of the parameter, gradient and velocity buffers. */
  readonly parameterLength: number;
  readonly inputTensor: TensorId;
  readonly labelsTensor: TensorId;
  readonly logitsTensor: TensorId;
  readonly lossesTensor: TensorId;
  readonly ops: readonly PlanOp[];
}

/** The rates of one step of momentum SGD. */
export interface StepRates {
  readonly learningRate: number;
  readonly momentum: number;
  readonly weightDecay: number;
}
