import { addBackward } from './backwardRules.ts';
import { addForward } from './forwardRules.ts';
import { executionOrder, lookUp, valueShapes, type Layer } from './graph.ts';
import type { ImageShape, TrainingPlan } from './plan.ts';
import { PlanBuilder } from './planBuilder.ts';
import { addParameters } from './planParameters.ts';
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
