import { addForward } from './forwardRules.ts';
import { lookUp, type Layer } from './graph.ts';
import { network } from './network.ts';
import type { EvaluationPlan, ImageShape, ParameterSpec } from './plan.ts';
import { addParameters, evaluatedParameter } from './planParameters.ts';
import { modelLayers, type ModelName } from './zoo.ts';

/**
 * The evaluation of a batch by a model of the zoo as a flat list of kernel calls. Its parameter and
 * running buffers are laid out as those of `trainingPlan` with the same model, input and classes.
 */
export function evaluationPlan(
  model: ModelName,
  batch: number,
  input: ImageShape,
  classes = 10,
): EvaluationPlan {
  return layersEvaluationPlan(model, modelLayers(model, classes), batch, input);
}

/** The evaluation of any network: layers in drawing order, ending in dense and softmaxCrossEntropy. */
export function layersEvaluationPlan(
  model: string,
  layers: readonly Layer[],
  batch: number,
  input: ImageShape,
): EvaluationPlan {
  const { builder, order, loss } = network<ParameterSpec>(model, layers, batch, input);
  const inputTensor = builder.input();
  const labelsTensor = builder.tensor('labels', [batch], 'labels');
  addParameters(builder, layers, evaluatedParameter);

  for (const layer of order) addForward(builder, layer, 'evaluation');
  const classes = lookUp(builder.shapes, loss.input).channels;
  const logitsTensor = builder.value(loss.input);
  const lossesTensor = builder.tensor('losses', [batch], 'activation');
  const correctTensor = builder.tensor('correct', [batch], 'activation');
  builder.ops.push({
    name: loss.name,
    kind: 'classify',
    batch,
    classes,
    logits: logitsTensor,
    labels: labelsTensor,
    losses: lossesTensor,
    correct: correctTensor,
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
    logitsTensor,
    lossesTensor,
    correctTensor,
    ops: builder.ops,
  };
}
