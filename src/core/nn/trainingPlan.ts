import { addBackward } from './backwardRules.ts';
import { addForward } from './forwardRules.ts';
import { lookUp, type Layer } from './graph.ts';
import { network } from './network.ts';
import type { ImageShape, TrainedParameterSpec, TrainingPlan } from './plan.ts';
import { addParameters, trainedParameter } from './planParameters.ts';
import { modelLayers, type ModelName } from './zoo.ts';

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
  const { builder, order, loss } = network<TrainedParameterSpec>(model, layers, batch, input);
  const inputTensor = builder.input();
  const labelsTensor = builder.tensor('labels', [batch], 'labels');
  addParameters(builder, layers, trainedParameter);

  for (const layer of order) addForward(builder, layer, 'training');
  const classes = lookUp(builder.shapes, loss.input).channels;
  const lossesTensor = builder.tensor('losses', [batch], 'activation');
  builder.contributeApart(loss.input, loss.name, (logitsGradient) =>
    builder.ops.push({
      name: loss.name,
      kind: 'softmaxCrossEntropy',
      batch,
      classes,
      logits: builder.value(loss.input),
      labels: labelsTensor,
      losses: lossesTensor,
      logitsGradient,
    }),
  );
  for (const layer of order.toReversed()) addBackward(builder, layer);
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
    runningLength: builder.runningLength,
    inputTensor,
    labelsTensor,
    logitsTensor: builder.value(loss.input),
    lossesTensor,
    ops: builder.ops,
  };
}
