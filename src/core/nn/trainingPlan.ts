import { executionOrder, lookUp, padding, valueShapes, type Layer } from './graph.ts';
import type {
  ConvGeometry,
  DenseGeometry,
  ImageShape,
  NormGeometry,
  PoolGeometry,
  TrainingPlan,
} from './plan.ts';
import { PlanBuilder } from './planBuilder.ts';
import { addParameters } from './planParameters.ts';
import { modelLayers, type ModelName } from './zoo.ts';

/** Added to the variance; tests/golden/README.md. */
const epsilon = 1e-5;

/**
 * One training step of a model of the zoo as a flat list of kernel calls. `batch` is images a
 * step, `input` the shape of one image.
 */
export function trainingPlan(
  model: ModelName,
  batch: number,
  input: ImageShape,
  classes = 10,
): TrainingPlan {
  return layersPlan(model, modelLayers(model, classes), batch, input);
}

/** The plan of any network: layers in drawing order, ending in dense and softmaxCrossEntropy. */
export function layersPlan(
  model: string,
  layers: readonly Layer[],
  batch: number,
  input: ImageShape,
): TrainingPlan {
  const order = executionOrder(layers);
  const loss = order.at(-1);
  if (loss?.kind !== 'softmaxCrossEntropy')
    throw new Error(`${model} has to end in softmaxCrossEntropy`);
  const builder = new PlanBuilder(batch, valueShapes(order, input), order);
  const inputTensor = builder.input();
  const labelsTensor = builder.tensor('labels', [batch], 'labels');
  addParameters(builder, layers);

  for (const layer of order.slice(0, -1)) addForward(builder, layer);
  const classes = lookUp(builder.shapes, loss.input).channels;
  const lossesTensor = builder.tensor('losses', [batch], 'activation');
  builder.ops.push({
    name: loss.name,
    kind: 'softmaxCrossEntropy',
    batch,
    classes,
    logits: builder.value(loss.input),
    labels: labelsTensor,
    losses: lossesTensor,
    logitsGradient: builder.contributeFirst(loss.input, loss.name),
  });
  for (const layer of order.slice(0, -1).toReversed()) addBackward(builder, layer);
  builder.ops.push({
    name: 'update',
    kind: 'momentum.update',
    length: builder.parameterLength,
    decayLength: builder.decayLength,
  });

  return {
    model,
    batch,
    input,
    classes,
    tensors: builder.tensors,
    parameters: builder.parameters,
    parameterLength: builder.parameterLength,
    inputTensor,
    labelsTensor,
    logitsTensor: builder.value(loss.input),
    lossesTensor,
    ops: builder.ops,
  };
}

function addForward(builder: PlanBuilder, layer: Layer): void {
  const { name } = layer;
  const input = builder.value(layer.input);
  switch (layer.kind) {
    case 'conv2d': {
      const geometry = convGeometry(builder, layer);
      const weight = builder.parameter(name).parameter;
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'conv2d.forward', geometry, input, weight, output });
      return;
    }
    case 'batchNorm': {
      const geometry = normGeometry(builder, layer);
      const { activation } = layer;
      const statistics = builder.statistics(name, geometry.channels);
      builder.ops.push({ name, kind: 'batchNorm.statistics', geometry, input, statistics });
      builder.ops.push({
        name,
        kind: 'batchNorm.normalize',
        geometry,
        activation,
        input,
        statistics,
        gamma: builder.parameter(`${name}.gamma`).parameter,
        beta: builder.parameter(`${name}.beta`).parameter,
        ...(layer.residual === undefined ? {} : { residual: builder.value(layer.residual) }),
        output: builder.output(name),
      });
      return;
    }
    case 'globalAveragePool': {
      const geometry = poolGeometry(builder, layer);
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'globalAveragePool.forward', geometry, input, output });
      return;
    }
    case 'dense': {
      const geometry = denseGeometry(builder, layer);
      const weight = builder.parameter(`${name}.weight`).parameter;
      const bias = builder.parameter(`${name}.bias`).parameter;
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'dense.forward', geometry, input, weight, bias, output });
      return;
    }
    case 'softmaxCrossEntropy':
      throw new Error(`${name}: the loss comes last`);
  }
}

/** Layers arrive in reverse order, so each finds the gradient of its output complete. */
function addBackward(builder: PlanBuilder, layer: Layer): void {
  const { name } = layer;
  const input = builder.value(layer.input);
  const outputGradient = builder.gradient(name);
  const trainsBelow = builder.needsGradient(layer.input);
  switch (layer.kind) {
    case 'conv2d': {
      const geometry = convGeometry(builder, layer);
      const { parameter: weight, gradient: weightGradient } = builder.parameter(name);
      builder.ops.push({
        name,
        kind: 'conv2d.backwardWeight',
        geometry,
        input,
        outputGradient,
        weightGradient,
      });
      if (!trainsBelow) return;
      const { gradient: inputGradient, ...addend } = builder.contribute(layer.input);
      builder.ops.push({
        name,
        kind: 'conv2d.backwardInput',
        geometry,
        outputGradient,
        weight,
        ...addend,
        inputGradient,
      });
      return;
    }
    case 'batchNorm': {
      const gamma = builder.parameter(`${name}.gamma`);
      const shared = {
        name,
        geometry: normGeometry(builder, layer),
        activation: layer.activation,
        input,
        statistics: builder.value(`${name}.statistics`),
        output: builder.value(name),
        outputGradient,
        gammaGradient: gamma.gradient,
        betaGradient: builder.parameter(`${name}.beta`).gradient,
      };
      builder.ops.push({ ...shared, kind: 'batchNorm.backwardStatistics' });
      if (!trainsBelow) return;
      builder.ops.push({
        ...shared,
        kind: 'batchNorm.backwardInput',
        gamma: gamma.parameter,
        inputGradient: builder.contributeFirst(layer.input, name),
        ...(layer.residual === undefined || !builder.needsGradient(layer.residual)
          ? {}
          : { residualGradient: builder.contributeFirst(layer.residual, name) }),
      });
      return;
    }
    case 'globalAveragePool': {
      const geometry = poolGeometry(builder, layer);
      const inputGradient = builder.contributeFirst(layer.input, name);
      builder.ops.push({
        name,
        kind: 'globalAveragePool.backward',
        geometry,
        outputGradient,
        inputGradient,
      });
      return;
    }
    case 'dense': {
      const geometry = denseGeometry(builder, layer);
      const { parameter: weight, gradient: weightGradient } = builder.parameter(`${name}.weight`);
      const { gradient: biasGradient } = builder.parameter(`${name}.bias`);
      builder.ops.push({
        name,
        kind: 'dense.backwardWeight',
        geometry,
        input,
        outputGradient,
        weightGradient,
        biasGradient,
      });
      if (!trainsBelow) return;
      const inputGradient = builder.contributeFirst(layer.input, name);
      builder.ops.push({
        name,
        kind: 'dense.backwardInput',
        geometry,
        outputGradient,
        weight,
        inputGradient,
      });
      return;
    }
    case 'softmaxCrossEntropy':
      throw new Error(`${name}: the loss comes last`);
  }
}

type LayerOf<Kind extends Layer['kind']> = Extract<Layer, { kind: Kind }>;

function convGeometry(builder: PlanBuilder, layer: LayerOf<'conv2d'>): ConvGeometry {
  const input = lookUp(builder.shapes, layer.input);
  const output = lookUp(builder.shapes, layer.name);
  return {
    batch: builder.batch,
    inHeight: input.height,
    inWidth: input.width,
    inChannels: input.channels,
    outHeight: output.height,
    outWidth: output.width,
    outChannels: output.channels,
    kernelHeight: layer.kernel,
    kernelWidth: layer.kernel,
    stride: layer.stride,
    padTop: padding(layer.kernel),
    padLeft: padding(layer.kernel),
  };
}

function normGeometry(builder: PlanBuilder, layer: LayerOf<'batchNorm'>): NormGeometry {
  const { height, width, channels } = lookUp(builder.shapes, layer.name);
  return { pixels: builder.batch * height * width, channels, epsilon };
}

function poolGeometry(builder: PlanBuilder, layer: LayerOf<'globalAveragePool'>): PoolGeometry {
  const { height, width, channels } = lookUp(builder.shapes, layer.input);
  return { batch: builder.batch, pixels: height * width, channels };
}

function denseGeometry(builder: PlanBuilder, layer: LayerOf<'dense'>): DenseGeometry {
  const { height, width, channels } = lookUp(builder.shapes, layer.input);
  if (height * width !== 1) throw new Error(`${layer.name} reads an image: pool it first`);
  return { batch: builder.batch, inFeatures: channels, outFeatures: layer.outFeatures };
}
