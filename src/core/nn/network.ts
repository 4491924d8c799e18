import { executionOrder, valueShapes, type Layer, type LayerOf } from './graph.ts';
import type { ImageShape, ParameterSpec } from './plan.ts';
import { PlanBuilder } from './planBuilder.ts';

/** Layers ready for the rules of a plan. */
export interface Network<Parameter extends ParameterSpec> {
  readonly builder: PlanBuilder<Parameter>;
  /** All layers but the loss, each after its inputs. */
  readonly order: readonly Layer[];
  readonly loss: LayerOf<'softmaxCrossEntropy'>;
}

/** Orders a network's layers; throws where they do not end in softmaxCrossEntropy. */
export function network<Parameter extends ParameterSpec>(
  model: string,
  layers: readonly Layer[],
  batch: number,
  input: ImageShape,
): Network<Parameter> {
  const order = executionOrder(layers);
  const loss = order.at(-1);
  if (loss?.kind !== 'softmaxCrossEntropy')
    throw new Error(`${model} has to end in softmaxCrossEntropy`);
  const builder = new PlanBuilder<Parameter>(batch, valueShapes(order, input), order);
  return { builder, order: order.slice(0, -1), loss };
}
